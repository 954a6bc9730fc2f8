"""Decide whether a clause asserts a plain fact: not bound to a time, not in doubt, not altered by its
context.
"""

from __future__ import annotations

from coref.language.factuality import Moods
from coref.language.parsed_sentence import ParsedSentence
from generation.lexicon import words
from generation.story.attributes.attribute_phrases import AdjectiveRow
from generation.story.attributes.attribute_words import feature_aspect
from generation.story.indexed_book import IndexedBook

_PRESENT = frozenset(("is", "are", "'s", "has", "have"))
_INVERTED = frozenset(("had", "were", "was", "should", "is"))
_BRACKETS = frozenset(("(", "{", "["))
"""Brackets that open an aside to the reader, or a caption."""
_GROUNDS = frozenset(("for", "because", "since", "as", "though", "although", "but"))
_WHEN = frozenset(("when", "once", "while", "whilst", "if", "until", "till", "after", "before", "whenever"))
_TIMES = words("times") - frozenset(
    ("fact", "truth", "reality", "general", "first", "last", "degree", "manner", "way")
)
_PASSING = frozenset(
    ("now", "then", "again", "once", "perhaps", "presently", "already", "soon", "suddenly", "here", "there",
     "when", "formerly", "only", "probably", "still", "momentarily", "thus", "likewise", "where", "equally")
)  # fmt: skip


class Factuality:
    """Check the factuality of clauses in one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._moods: tuple[ParsedSentence, Moods] | None = None

    def so(self, s: ParsedSentence, p: int, verbs: list[int], *, denied: bool = False) -> bool:
        """Whether a clause is neither denied, nor only possible, nor past. In direct speech only the present
        tense counts.
        """
        if s.word(s.first) in _BRACKETS:
            return False
        mood = self._moods_of(s).of(p)
        above = s.head(p)
        apart = above is not None and above < p and any(s.word(i) in (";", ":") for i in range(above, p))
        free = mood.modal is None or (apart and above is not None and mood.modal == s.lemma(above))
        if (mood.negated and not denied) or not free or s.kids(p, "expl", "csubj"):
            return False
        if any(s.lemma(a) in ("have", "do") for a in s.kids(p, "aux")):
            return False
        if self._r.quote_at(s.start(p)) is not None:
            return any(s.word(v) in _PRESENT for v in verbs)
        return not any(s.word(v) in ("am", "being", "be") for v in verbs)

    def plain(self, s: ParsedSentence, p: int, subject: int) -> bool:
        """Whether a clause of its own has a subject, verb and predicate and gives no time and no reason for
        doubt.
        """
        if s.holds(subject - 1) and s.word(subject - 1) in _INVERTED:
            return False
        relative = s.relation(p) == "acl:relcl" and s.word(subject) not in ("who", "that")
        if relative or any(c < subject for c in s.kids(p, "cop")):
            return False
        if any(s.word(m) not in _GROUNDS for m in s.kids(p, "mark")):
            return False
        if any(s.word(m) in _WHEN for k in s.kids(p, "advcl") for m in s.kids(k, "mark", "advmod")):
            return False
        near = s.kids(p, "advmod", "obl", "obl:unmarked", "nmod:unmarked", "obl:tmod", "nmod:tmod")
        near += s.kids(subject, "nmod", "nmod:unmarked")
        return not any({s.lemma(k), s.word(k)} & (words("strains") | _TIMES | _PASSING) for k in near)

    def alone(self, s: ParsedSentence, row: AdjectiveRow) -> bool:
        """Whether no clause or complement changes the meaning of the adjectives."""
        for k in row.words:
            if s.kids(k, "xcomp", "ccomp", "csubj", "expl", "obl:tmod"):
                return False
            if any(s.case(o) != "with" for o in s.kids(k, "obl:unmarked")):
                return False
            if any(s.word(m) not in _GROUNDS for c in s.kids(k, "advcl") for m in s.kids(c, "mark") or [k]):
                return False
            if any(s.word(a) in words("strains") | _PASSING for a in s.kids(k, "advmod", "obl")):
                return False
            behind = [o for o in s.kids(k, "obl", "nmod") if o > k]
            if any(s.case(o) != "with" or not feature_aspect(s.lemma(o)) for o in behind):
                return False
        after = row.last + 1
        if s.holds(after) and (
            s.tag(after) in ("PART", "SCONJ") or (s.tag(after) == "ADP" and s.word(after) != "with")
        ):
            return False
        return self.clean(row.first, row.last)

    def clean(self, first: int, last: int) -> bool:
        """Whether a phrase contains no name and no word that only the page explains."""
        tags, lemmas = self._r.parse.tags, self._r.parse.lemmas
        return not any(
            tags[i] in ("PRON", "PROPN", "X", "SYM") or lemmas[i].casefold() in words("opaque")
            for i in range(first, last + 1)
        )

    def _moods_of(self, s: ParsedSentence) -> Moods:
        if self._moods is None or self._moods[0] is not s:
            self._moods = (s, Moods(s, lambda at: self._r.quote_at(at) is not None))
        return self._moods[1]
