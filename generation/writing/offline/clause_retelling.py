"""Reword a clause of the book on its own: one verb with its arguments, in the present tense.

A clause that can only be understood on its page is refused, and so is one that the parser has probably
misread: no clause is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from coref.types import MentionKind
from generation.lexicon import words
from generation.story.sentence_grammar import GrammaticalSentence, SentenceGrammar
from generation.writing.offline.clause_parts import (
    Clause,
    FiniteVerb,
    GrammaticalCase,
    PersonReference,
    Piece,
)
from generation.writing.offline.noun_phrases import Unfit, length
from generation.writing.offline.predicates import Predicates
from generation.writing.offline.tenses import AUXILIARIES, SUBJECTS

MOST = 24
"""Most words of a predicate."""
_OPEN = frozenset(("if", "unless", "whether", "lest", "until", "till", "than", "except", "that", "without"))
"""Before a verb: the clause may not be a fact, or somebody else states it."""
_GOVERNED = ("ccomp", "csubj", "xcomp", "amod", "acl")
_MATTER = frozenset(("of", "about", "to", "from", "on", "into", "for"))
_CLOSING = frozenset('”"’»')
"""Directly after direct speech the subject follows its verb: “Tom,” called out Mary."""
_SETTINGS = frozenset(("when", "after", "because", "before", "though", "although"))
_SETTING = 11
"""Most words of a setting."""
_OPENING = frozenset(("to", "that", "what", "how", "whether", "why", "where", "who"))
_RIVALLED = 0.25
"""Uncertainty of a pronoun's referent after another person in its sentence."""
_RELATIVE = frozenset(("who", "which", "that"))


class Clauses:
    """Makes clauses from the sentences of one book."""

    def __init__(self, grammar: SentenceGrammar) -> None:
        self._g = grammar

    def clause(self, verb: int, doer: str) -> Clause | None:
        """Return what `doer` does in the clause of a verb, or None if it can't be told well."""
        try:
            return self.told(verb, doer)
        except Unfit:
            return None

    def told(self, verb: int, doer: str) -> Clause:
        """Like `clause`, but raise `Unfit` with the reason."""
        read = self._g.sentence(verb)
        if read is None:
            raise Unfit("sentence too long")
        return _OneClause(self._g, read, verb, doer).clause()


class _OneClause:
    def __init__(self, grammar: SentenceGrammar, read: GrammaticalSentence, verb: int, doer: str) -> None:
        self._g = grammar
        self._s = read.words
        self._read = read
        self._verb = verb
        self._doer = doer
        self._predicates = Predicates(grammar, read)

    def clause(self) -> Clause:
        self._check()
        beside = self._beside()
        if self._is_pronoun():
            self._predicates.phrases.unnamed.add(self._doer)
        pieces = self._tidy(self._predicates.predicate(self._verb, self._doer))
        s, v = self._s, self._verb
        passive = self._predicates.tenses.is_passive(v)
        kept = self._predicates.tenses.kept(v)
        bare = max(len(kept), passive) + 1 + any(p in ("not", "never") for p in pieces)
        if length(pieces) > MOST or (length(pieces) <= bare and s.lemma(v) not in words("whole_verbs")):
            raise Unfit(f"{length(pieces)} words")
        particle = s.kid(v, "compound:prt")
        cited = self._g.cast.sentence_at(self._g.parse.starts[v])
        return Clause(
            subject=self._doer,
            predicate=tuple(pieces),
            verb=s.lemma(v) + (f" {s.word(particle)}" if particle is not None else ""),
            span=cited.span,
            at=self._g.parse.starts[v],
            chapter=cited.chapter,
            beside=beside,
            passive=passive,
            negated=self._read.moods.of(v).negated,
            setting=self._setting(),
            keys=self._keys(pieces),
            nouns=self._nouns(pieces),
            content=self._content(pieces),
            over=len(kept) < len(self._predicates.tenses.chain(v)),
            doubt=self._predicates.phrases.doubt + self._doubt(),
            opaque=self._predicates.phrases.opaque,
            dropped=self._predicates.phrases.dropped,
        )

    def _is_pronoun(self) -> bool:
        subject = self._s.kid(self._verb, *SUBJECTS)
        mention = self._read.mentions.get(subject) if subject is not None else None
        return mention is not None and mention.kind is MentionKind.PRONOUN

    def _completed(self) -> bool:
        """Whether it says what was told, asked or given, and not only to whom."""
        s, v = self._s, self._verb
        matter = [k for k in s.kids(v, "obl") if s.case(k) in _MATTER and s.lemma(k) not in words("comments")]
        if matter or s.kids(v, "iobj", "xcomp", "ccomp"):
            return True
        things = [k for k in s.kids(v, "obj") if k not in self._read.mentions]
        return bool(things) or any(s.word(m) == "to" for k in s.kids(v, "advcl") for m in s.kids(k, "mark"))

    def _keys(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        s = self._s
        said = {word for p in pieces if isinstance(p, str) for word in p.split()}
        told = (i for i in s if s.word(i) in said and s.tag(i) in ("NOUN", "VERB", "ADJ"))
        return tuple(dict.fromkeys(s.lemma(i) for i in (self._verb, *told)))

    def _nouns(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        s = self._s
        said = {word for p in pieces if isinstance(p, str) for word in p.split()}
        return tuple(dict.fromkeys(s.lemma(i) for i in s if s.tag(i) == "NOUN" and self._g.form(i) in said))

    def _content(self, pieces: Sequence[Piece]) -> bool:
        """Whether a clause or an infinitive says what."""
        kids = self._s.kids(self._verb, "xcomp", "ccomp")
        said = {p for p in pieces if isinstance(p, str)}
        return any(k > self._verb and (said & _OPENING or self._s.word(k) in said) for k in kids)

    def _check(self) -> None:
        """Raise `Unfit` if the clause may not be told at all."""
        s, v = self._s, self._verb
        if s.tag(v) != "VERB" or self._g.quoted(v):
            raise Unfit("no verb of the narration")
        if s.lemma(v) in words("untold_verbs"):
            raise Unfit("hollow verb")
        if s.holds(v - 1) and s.word(v - 1)[-1:] in _CLOSING:
            raise Unfit("says so")
        if self._read.moods.of(v).modal is not None:
            raise Unfit("may not be so")
        top = self._top()
        if any(s.word(k) in _OPEN for k in s.kids(top, "mark")) or self._governed(top):
            raise Unfit("governed")
        if top != v and self._read.moods.of(top).negated:
            raise Unfit("denied with another")
        if any(k > v for k in s.kids(v, *AUXILIARIES)) or len(s.kids(v, *SUBJECTS)) > 1:
            raise Unfit("odd grammar")
        self._check_gap()
        self._check_subject()

    def _governed(self, top: int) -> bool:
        """Whether another verb governs the clause. "Said he" after direct speech does not."""
        s, above = self._s, self._s.head(top)
        said = s.relation(top) == "ccomp" and above is not None and self._g.quoted(above)
        return s.relation(top) in _GOVERNED and not said

    def _check_subject(self) -> None:
        s, v = self._s, self._verb
        subject = s.kid(v, *SUBJECTS)
        if subject is None:
            if not self._shares():
                raise Unfit("whose deed")
            return
        relative = s.word(subject) in _RELATIVE
        meant = s.head(self._top()) if relative else subject
        mention = self._read.mentions.get(-1 if meant is None else meant)
        if mention is None or mention.character != self._doer:
            raise Unfit("another subject")
        if mention.kind is MentionKind.NOMINAL and not self._plain(
            subject if not relative else meant or subject
        ):
            raise Unfit("somebody’s somebody")
        if not relative and any(subject > k for k in self._predicates.tenses.chain(v)):
            raise Unfit("inverted")

    def _plain(self, subject: int) -> bool:
        """Whether the subject is plain: "the doctor", and neither "his sister" nor "this fellow"."""
        s = self._s
        return not s.kids(subject, "nmod:poss") and all(s.word(k) == "the" for k in s.kids(subject, "det"))

    def _top(self) -> int:
        """Return the first of the coordinated verbs."""
        at, s = self._verb, self._s
        while s.relation(at) == "conj" and (above := s.head(at)) is not None:
            at = above
        return at

    def _check_gap(self) -> None:
        """Refuse "the boy *whom she dismissed*", where the object is outside the clause."""
        s, at = self._s, self._top()
        subject = s.kid(at, *SUBJECTS)
        if s.relation(at) == "acl:relcl" and (subject is None or s.word(subject) not in _RELATIVE):
            raise Unfit("relative")

    def _shares(self) -> bool:
        """Whether another verb has its subject: "rose and left", "he sat, smoking"."""
        s, at = self._s, self._verb
        for _ in range(4):
            above = s.head(at)
            if above is None or s.tag(above) != "VERB" or s.relation(at) not in ("conj", "advcl"):
                return False
            if s.relation(at) == "advcl" and not s.word(at).endswith("ing"):
                return False
            if s.relation(at) == "advcl" and s.kids(above, "obj") and at > above:
                return False  # in "saw him smoking" either may smoke
            subject = s.kid(above, *SUBJECTS)
            if subject is not None:
                meant = s.head(above) if s.word(subject) in _RELATIVE else subject
                mention = self._read.mentions.get(-1 if meant is None else meant)
                return mention is not None and mention.character == self._doer
            at = above
        return False

    def _beside(self) -> tuple[str, ...]:
        """Return the people coordinated with the subject. A subject coordinated with things is refused."""
        subject = self._s.kid(self._verb, *SUBJECTS)
        if subject is None:
            return ()
        found = []
        for k in self._s.kids(subject, "conj"):
            mention = self._read.mentions.get(k)
            if (
                mention is None
                or mention.character in (None, self._doer)
                or mention.kind is MentionKind.PRONOUN
            ):
                raise Unfit("somebody beside the subject")
            found.append(str(mention.character))
        if self._s.kids(subject, "cc:preconj", "case"):
            raise Unfit("either or")
        return tuple(found)

    def _setting(self) -> tuple[Piece, ...]:
        """Return the first subordinate clause that says when or why, if it is short and clear."""
        s, v = self._s, self._verb
        for k in s.kids(v, "advcl"):
            if any(s.tag(i) == "CCONJ" for i in range(v, k)):
                continue  # it belongs to a coordinated verb
            if not any(s.word(m) in _SETTINGS for m in s.kids(k, "mark", "advmod")[:1]) or s.tag(k) != "VERB":
                continue
            predicates = Predicates(self._g, self._read)
            try:
                pieces = predicates.setting(k)
            except Unfit:
                continue
            if (
                predicates.phrases.opaque + predicates.phrases.dropped == 0
                and 4 <= length(pieces) <= _SETTING
            ):
                return tuple(pieces)
        return ()

    def _doubt(self) -> float:
        """Return the uncertainty of the subject."""
        subject = self._s.kid(self._verb, *SUBJECTS)
        mention = self._read.mentions.get(subject) if subject is not None else None
        if subject is None or mention is None or mention.character is None:
            return 0.0 if subject is None else 0.3
        if mention.kind is MentionKind.PROPER or self._s.word(subject) == "i":
            return 0.0
        mine = self._g.pronouns(mention.character)
        others = {m.character for k, m in self._read.mentions.items() if k < subject}
        rivals = any(self._g.pronouns(str(o)) == mine for o in others - {None, mention.character})
        return self._g.doubt(mention) + _RIVALLED * rivals

    def _tidy(self, pieces: list[Piece]) -> list[Piece]:
        """Return the pieces with the finite verb first. Adverbs before it are kept, a denial becomes "does
        not".
        """
        at = next((i for i, p in enumerate(pieces) if isinstance(p, FiniteVerb)), None)
        if at is None:
            raise Unfit("no finite verb")
        before, finite, after = pieces[:at], pieces[at], pieces[at + 1 :]
        if any(isinstance(p, PersonReference) for p in before) or length(before) > 1:
            raise Unfit("much before the verb")
        objects = [
            p.character for p in after if isinstance(p, PersonReference) and p.case is GrammaticalCase.OBJECT
        ]
        if len(objects) > len(set(objects)) or set(objects) & set(self._beside()):
            raise Unfit("the same person twice")
        forms = {self._s.word(k) for k in (*self._predicates.tenses.chain(self._verb), self._verb)}
        rest = [p for p in after if p not in forms and p not in ("not", "never")]
        lemma = self._s.lemma(self._verb)
        if all(p in words("told_adverbs") for p in rest) and lemma not in words("whole_verbs"):
            raise Unfit("says nothing yet")
        nothing = all(isinstance(p, PersonReference) or p in words("told_adverbs") for p in rest)
        if lemma in words("incomplete_verbs") and (nothing or not self._completed()):
            raise Unfit("says nothing yet")
        if any(one == other for one, other in pairwise(after)):
            raise Unfit("a word twice")
        last = pieces[-1]
        if isinstance(last, str) and (last.endswith(".") or last.split()[-1] in words("dangling")):
            raise Unfit(f"ends with {last}")
        if after[:1] == ["not"] and not self._predicates.tenses.chain(self._verb):
            base = self._s.lemma(self._verb)
            return [*before, FiniteVerb(f"does not {base}", f"do not {base}"), *after[1:]]
        return [*before, finite, *after]
