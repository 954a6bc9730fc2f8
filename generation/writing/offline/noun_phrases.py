"""Reword noun phrases: people become references, and phrases that only their page explains are refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coref.types import Mention, MentionKind
from generation.lexicon import words
from generation.story.sentence_grammar import GrammaticalSentence, SentenceGrammar
from generation.writing.offline.clause_parts import GrammaticalCase, PersonReference, Piece

_MOST_ADJECTIVES = 2
_LONG = 7
"""Words from which a phrase after a noun is left out."""
_KEPT_BEFORE = (
    "det",
    "amod",
    "nummod",
    "compound",
    "nmod:poss",
    "nmod:desc",
    "flat",
    "goeswith",
    "det:predet",
)
_LEFT = (
    "punct", "appos", "acl:relcl", "parataxis", "discourse", "vocative", "advcl", "advcl:relcl", "cc", "cop",
    "nsubj", "aux", "mark", "expl", "csubj", "nsubj:outer",
)  # fmt: skip
_HEAVY = ("nmod", "acl", "obl", "xcomp", "ccomp")
_AFTER_ALL = frozenset(("no", "much", "little", "more", "half", "one", "first", "last", "present"))
"""These can be understood before a noun."""
_PLURAL = frozenset(
    ("we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself", "ye", "thou")
)
_THEY = frozenset(("they", "them", "their", "theirs", "themselves"))
_BEGINNING = frozenset("“\"‘'.!?:;—-")
"""Punctuation after which a sentence may begin."""
_NEAR = 7
"""Words before a noun that are searched for its dependents."""
_SURE = 0.4
"""Confidence below which a pronoun has no certain referent."""


class Unfit(Exception):
    """Raised if a clause can't be told well."""


class Phrases:
    """Builds the noun phrases of one clause."""

    def __init__(
        self, grammar: SentenceGrammar, read: GrammaticalSentence, infinite: Callable[[int], list[Piece]]
    ) -> None:
        self._g = grammar
        self._s = read.words
        self._mentions = read.mentions
        self._infinite = infinite
        self.opaque = 0
        self.dropped = 0
        self.doubt = 0.0
        """Uncertainty of who is meant, over all pronouns."""
        self.unnamed: set[str] = set()
        """People who already were a pronoun. A name after it is somebody else's."""

    def noun(self, n: int, *, case: GrammaticalCase = GrammaticalCase.OBJECT) -> list[Piece]:
        """Return a noun with its preposition and its dependents, and the nouns coordinated with it."""
        before = self._preposition(n)
        if before and case is GrammaticalCase.SUBJECT:
            raise Unfit("preposition before a subject")
        found = [*before, *self._alone(n, case)]
        joined = self._s.kids(n, "conj")
        if len(joined) > 2:
            raise Unfit("a list")
        for at, k in enumerate(joined):
            cc = self._s.kid(k, "cc")
            mark = self._s.word(cc) if cc is not None else ("," if at + 1 < len(joined) else "and")
            if mark not in ("and", "or", ","):
                raise Unfit(mark)
            if self._s.tag(k) == "VERB":
                raise Unfit("a verb joined to a noun")
            found += [mark, *self.noun(k, case=case)]
        return found

    def _preposition(self, n: int) -> list[Piece]:
        found: list[Piece] = []
        for k in self._s.kids(n, "case"):
            if self._s.word(k) in ("'s", "'"):
                continue
            if k > n or self._s.kids(k, "advmod") or self._s.word(k) == "besides":
                raise Unfit("preposition behind")
            found += [self._g.form(k).lower(), *(self._g.form(f).lower() for f in self._s.kids(k, "fixed"))]
        return found

    def _alone(self, n: int, case: GrammaticalCase) -> list[Piece]:
        mention = self._mentions.get(n)
        if mention is not None and mention.character in self._g.cast.by_id:
            if (person := self._person(n, mention, case)) is not None:
                return [person]
        elif mention is not None and mention.kind is MentionKind.PRONOUN:
            raise Unfit(f"unknown: {self._s.word(n)}")
        if self._s.tag(n) == "PRON" or self._s.word(n) in words("outside"):
            return self._pronoun(n)
        return self._thing(n)

    def _person(self, n: int, mention: Mention, case: GrammaticalCase) -> PersonReference | None:
        """Return a reference, or None for a noun with a possessor (his sister), which is worded through the
        possessor.
        """
        word, who = self._s.word(n), str(mention.character)
        if mention.kind is MentionKind.PRONOUN:
            group = self._g.many(who)
            if word in _PLURAL or (word in _THEY) != group or mention.confidence < _SURE:
                raise Unfit(f"unclear: {word}")
            self.doubt += self._g.doubt(mention)
            self.unnamed.add(who)
            if word.endswith(("self", "selves")):
                return PersonReference(who, GrammaticalCase.REFLEXIVE)
            return PersonReference(who, case)
        if mention.kind is MentionKind.PROPER and who in self.unnamed:
            raise Unfit("pronoun before name")
        if mention.kind is MentionKind.NOMINAL and self._s.tag(n) == "NOUN":
            if self._s.kids(n, "nmod:poss"):
                return None
            if mention.confidence < _SURE or self._plural(n) != self._g.many(who):
                raise Unfit("unclear who")
            self.doubt += self._g.doubt(mention)
        return PersonReference(who, case)

    def _pronoun(self, n: int) -> list[Piece]:
        word = self._s.word(n)
        if word in words("whole_pronouns") and not self._s.kids(n, "acl:relcl", "acl", "nmod"):
            return [word]
        det = self._s.kid(n, "det")
        if word in ("other", "another") and det is not None and self._s.word(det) in ("each", "one"):
            return [self._s.word(det), word]
        raise Unfit(f"points elsewhere: {word}")

    def _thing(self, n: int) -> list[Piece]:
        s = self._s
        noun = s.tag(n) in ("NOUN", "PROPN", "ADJ") or (s.tag(n) == "VERB" and s.word(n).endswith("ing"))
        if not noun:
            raise Unfit(f"no noun: {s.word(n)}")
        before, after = self._around(n)
        if s.tag(n) == "NOUN" and self._is_bare(n, before, after):
            self.opaque += 1
        return [*before, self._form(n), *after]

    def _around(self, n: int) -> tuple[list[Piece], list[Piece]]:
        before: list[Piece] = []
        after: list[Piece] = []
        adjectives = [k for k in self._s.kids(n, "amod") if k < n][:_MOST_ADJECTIVES]
        if len(self._s.kids(n, "nmod:poss")) > 1:
            raise Unfit("two owners")
        for k, relation in self._kids(n):
            if relation == "amod" and k not in adjectives:
                continue
            if relation in _KEPT_BEFORE or relation.startswith("det"):
                if n - k > _NEAR:
                    raise Unfit("far from its noun")
                (before if k < n else after).extend(self._part(n, k, relation))
            elif relation in _HEAVY and k > n:
                after += self._behind(n, k, relation)
            elif relation == "advmod":
                self._beside(k)
            elif relation not in (*_LEFT, "case", "conj", "fixed"):
                raise Unfit(f"{relation} beside {self._s.word(n)}")
            elif relation == "acl:relcl":
                self._relative(n)
        return before, after

    def _kids(self, n: int) -> list[tuple[int, str]]:
        return [(k, self._s.relation(k)) for k in self._s if self._s.head(k) == n]

    def _part(self, n: int, k: int, relation: str) -> list[Piece]:
        """Return a dependent that belongs close to its noun."""
        s, word = self._s, self._s.word(k)
        if relation == "nmod:poss":
            if k > n:
                raise Unfit("owner behind")
            return self._owner(k)
        if word in words("outside") | words("turning_adverbs") and word not in _AFTER_ALL:
            raise Unfit(f"points elsewhere: {word}")
        if relation == "amod" and any(
            s.word(x) in ("as", "so", "too", "more", "less") for x in s.kids(k, "advmod")
        ):
            raise Unfit("compared")
        near = [
            x
            for x in s.kids(k, "advmod", "compound", "flat", "nmod:desc", "conj", "nummod")
            if abs(x - k) <= 3
        ]
        found: list[tuple[int, str]] = [(k, self._form(k))]
        for x in near:
            if s.relation(x) == "conj":
                if (cc := s.kid(x, "cc")) is not None and s.tag(x) == s.tag(k) and s.word(cc) == "and":
                    found += [(cc, "and"), (x, self._form(x))]
            elif s.relation(x) != "advmod" or s.word(x).endswith("ly") or s.word(x) in ("very", "well"):
                found.append((x, self._form(x)))
        return [form for _, form in sorted(found)]

    def _owner(self, k: int) -> list[Piece]:
        mention = self._mentions.get(k)
        if mention is not None and mention.character in self._g.cast.by_id:
            ref = self._person(k, mention, GrammaticalCase.POSSESSIVE)
            if ref is not None:
                return [PersonReference(ref.character, GrammaticalCase.POSSESSIVE)]
        if self._s.tag(k) == "PRON" or (mention is not None and mention.kind is MentionKind.PRONOUN):
            raise Unfit(f"unknown: {self._s.word(k)}")
        before, after = self._around(k)
        if after:
            raise Unfit("a long owner")
        mark = "’" if self._plural(k) and self._form(k).endswith("s") else "’s"
        return [*before, f"{self._form(k)}{mark}", *after]

    def _behind(self, n: int, k: int, relation: str) -> list[Piece]:
        """Return "of the house", "the power to refuse". Long phrases are left out."""
        s = self._s
        if relation == "acl" and s.tag(k) == "VERB" and s.word(k) == s.lemma(k):
            return self._infinite(k)
        if relation != "nmod":
            self.dropped += 1
            return []
        if s.case(k) is None or s.case(k) in words("left_prepositions"):
            self.dropped += 1
            return []
        try:
            return self._short(self.noun(k), n)
        except Unfit:
            if s.case(k) in ("of", "to"):
                raise
            self.dropped += 1
            return []

    def _short(self, pieces: list[Piece], n: int) -> list[Piece]:
        if length(pieces) > _LONG:
            if self._defined(n):
                raise Unfit("long and needed")
            self.dropped += length(pieces)
            return []
        return pieces

    def _beside(self, k: int) -> None:
        if self._s.word(k) in words("turning_adverbs") or self._s.word(k) in ("not", "never"):
            raise Unfit(f"turned: {self._s.word(k)}")

    def _relative(self, n: int) -> None:
        """Count "the letter she had written" as unclear: without the relative clause nobody knows which."""
        self.dropped += 1
        if not self._s.kids(n, "amod", "nmod", "compound", "nmod:poss"):
            raise Unfit("which one")
        if self._defined(n):
            self.opaque += 2

    def _defined(self, n: int) -> bool:
        return any(self._s.word(k) in ("the", "all", "every") for k in self._s.kids(n, "det"))

    def _is_bare(self, n: int, before: Sequence[Piece], after: Sequence[Piece]) -> bool:
        defined = any(self._s.word(k) == "the" for k in self._s.kids(n, "det"))
        return defined and len(before) == 1 and not after

    def _plural(self, n: int) -> bool:
        return self._s.tag(n) == "NOUN" and self._s.word(n) != self._s.lemma(n)

    def _form(self, i: int) -> str:
        """Return the word without a capital that only begins the sentence."""
        form = self._g.form(i)
        name = self._s.tag(i) == "PROPN" or form == "I" or form[1:2].isupper()
        first = i == self._s.first or self._g.form(i - 1)[-1:] in _BEGINNING
        return form.lower() if first and not name else form


def length(pieces: Sequence[Piece]) -> int:
    return sum(len(p.split()) if isinstance(p, str) else 1 for p in pieces)
