"""The verbs of a sentence in the present tense: what replaces each auxiliary and verb."""

from __future__ import annotations

from coref.language.predicates import Subjects
from generation.lexicon import words
from generation.story.sentence_grammar import GrammaticalSentence, SentenceGrammar
from generation.writing.offline import forms
from generation.writing.offline.clause_parts import FiniteVerb, Piece
from generation.writing.offline.noun_phrases import Unfit

SUBJECTS = ("nsubj", "nsubj:pass")
AUXILIARIES = ("aux", "aux:pass", "cop")
_BEING = frozenset(("was", "were", "is", "are", "am", "been", "'m", "'s", "'re"))
_HAVING = frozenset(("had", "has", "have"))
_TEARING = ("ADJ", "ADP", "NOUN", "VERB", "SCONJ")


class Tenses:
    """Computes the present tense of the verbs of one sentence."""

    def __init__(self, grammar: SentenceGrammar, read: GrammaticalSentence) -> None:
        self._g = grammar
        self._s = read.words
        self._mentions = read.mentions
        self._passives = Subjects(read.words, {})

    def is_passive(self, v: int) -> bool:
        return self._passives.is_passive(v)

    def chain(self, v: int) -> list[int]:
        return [k for k in self._s.kids(v, *AUXILIARIES) if k < v]

    def told(self, v: int) -> dict[int, Piece]:
        """Return `finite` in the simple present: the past perfect and the progressive become "happens"."""
        chain = self.kept(v)
        if chain == self.chain(v):
            return self.finite(v)
        self._check_chain(v, self.chain(v))
        if self._s.lemma(v) in words("lasting_verbs"):
            raise Unfit("over by then")
        if chain:
            return {chain[0]: forms.present("be"), v: self._g.form(v).lower()}
        return {v: forms.present(self._s.lemma(v))}

    def kept(self, v: int) -> list[int]:
        """Return the auxiliaries that the simple present keeps."""
        s, chain = self._s, self.chain(v)
        said = [s.word(k) for k in chain]
        if s.tag(v) != "VERB" or len(chain) < len(s.kids(v, *AUXILIARIES)) or not said:
            return chain
        denied = any(s.word(k) in ("not", "n't", "never") for k in s.kids(v, "advmod"))
        if s.word(v).endswith("ing") and said[-1] in _BEING:
            if len(chain) > 1 or denied:
                raise Unfit("goes on")
            return []
        if said[0] not in _HAVING or len(chain) > 1 + (said[-1] == "been"):
            return chain
        if denied:
            raise Unfit("never so far")
        return chain[1:]

    def finite(self, v: int) -> dict[int, Piece]:
        """Return what replaces the auxiliaries and the verb, by position."""
        chain = self.chain(v)
        self._check_chain(v, chain)
        return self._with_auxiliaries(v, chain) if chain else self._alone(v)

    def _with_auxiliaries(self, v: int, chain: list[int]) -> dict[int, Piece]:
        s, denied = self._s, any(self._s.word(k) in ("not", "n't") for k in self._s.kids(v, "advmod"))
        first = forms.auxiliary(s.word(chain[0]))
        if first is None or len(chain) < len(s.kids(v, *AUXILIARIES)):
            raise Unfit(f"auxiliary {s.word(chain[0])}")
        if s.word(chain[0]) == "had" and s.relation(chain[0]) == "cop":
            raise Unfit("odd auxiliary")
        marks = [k for k in s.kids(v, "mark") if k > chain[0]]
        if any(s.word(k) != "to" for k in marks):
            raise Unfit("torn apart")
        if s.lemma(chain[0]) == "do" and not denied:
            return {v: forms.present(s.lemma(v))}
        found: dict[int, Piece] = {chain[0]: first}
        found |= {k: s.word(k) for k in (*chain[1:], *marks)}
        found[v] = self._g.form(v).lower() if s.tag(v) in ("VERB", "AUX") else ""
        return found

    def _alone(self, v: int) -> dict[int, Piece]:
        s = self._s
        word, lemma = s.word(v), s.lemma(v)
        if s.tag(v) != "VERB" or not forms.likely_base(lemma):
            raise Unfit(f"no verb: {lemma}")
        if word.endswith("ing") and not lemma.endswith("ing"):
            if s.relation(v) != "advcl":
                raise Unfit("participle")
        elif word == lemma and lemma not in forms.unchanging() and not self._plural_subject(v):
            raise Unfit("infinitive")
        if self.is_passive(v):
            return {v: word, -1: forms.present("be")}
        return {v: forms.present(lemma)}

    def _check_chain(self, v: int, chain: list[int]) -> None:
        """Raise `Unfit` if other words than adverbs separate auxiliary and verb, a parser's mistake: "was far
        from going".
        """
        s = self._s
        for i in range(chain[0] + 1, v) if chain and s.tag(v) == "VERB" else ():
            if i not in chain and s.tag(i) in _TEARING and s.relation(i) != "mark":
                raise Unfit("torn apart")

    def _plural_subject(self, v: int) -> bool:
        subject = self._s.kid(v, *SUBJECTS)
        return subject is not None and self.plural(subject)

    def plural(self, n: int) -> bool:
        if self._s.kids(n, "conj"):
            return True
        mention = self._mentions.get(n)
        if self._s.tag(n) == "PROPN" and self._s.word(n).endswith("s") and self._s.kids(n, "det"):
            return True
        if mention is not None and mention.character is not None:
            return self._g.many(mention.character)
        return self._s.word(n) in ("they", "we", "you", "both", "all") or (
            self._s.tag(n) == "NOUN" and self._s.word(n) != self._s.lemma(n)
        )

    def agreed(self, k: int, subject: int, mark: int | None = None) -> dict[int, Piece]:
        """Return the finite verb in agreement with its subject."""
        fixed = self.finite(k)
        be = fixed.pop(-1, None)
        plural = self.plural(subject)
        agreed: dict[int, Piece] = {at: _agree(piece, plural=plural) for at, piece in fixed.items()}
        if be is not None:
            agreed[k] = f"{_agree(be, plural=plural)} {agreed[k]}"
        return agreed if mark is None else {**agreed, mark: ""}


def _agree(piece: Piece, *, plural: bool) -> Piece:
    if isinstance(piece, FiniteVerb):
        return piece.plural if plural else piece.singular
    return piece
