"""Every use of a word for a relation, and whether the grammar of its sentence states one between two people.

A mention weighs more the plainer it is. `her sister Jane` and `Jane is her sister` state the relation. `her
sister` alone counts only if it is resolved. A pronoun is less certain than a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.language.factuality import Moods
from coref.language.parsed_sentence import ParsedSentence
from coref.traits.relation_phrases import said_of
from coref.types import MentionKind
from generation.lexicon import words
from generation.story.indexed_book import IndexedBook
from generation.story.ties.appositions import BESIDE_BY, names_beside
from generation.story.ties.relation_words import RelationType, fits, meant_by, relation_words

_BETWEEN = frozenset(("ADJ", "ADV", "NUM", "PART", "CCONJ", "NOUN", "VERB"))
_OF = frozenset(("of", "to"))
_MOST = 8
"""Names beside one word that are examined. No real sentence has more."""
BESIDE, SAID, CALLED = 3.0, 2.5, 0.5
"""Weights of `her sister Jane`, of `Jane was her sister`, and of `her sister` where it is resolved."""
_VAGUE_PRONOUN = 0.7
"""Factor of a vote where a pronoun names the owner."""
_SPOKEN = 0.5
"""Factor of a vote where a character says `my sister`: both the speaker and the referent must be right."""


@dataclass(frozen=True, slots=True)
class KinshipMention:
    """One place that states this relation of the holder to the owner."""

    relation: RelationType
    holder: str
    owner: str
    weight: float
    at: int
    """Offset of the word that states it."""
    plain: bool
    """Whether the relation is stated outright, and is not only how somebody is referred to."""
    named: bool
    """Whether both people are named."""
    quoted: bool
    qualifier: str | None = None


@dataclass(frozen=True, slots=True)
class RelationUse:
    """One use of a word for a relation: `her sister`, `Mother!`."""

    relation: RelationType
    gender: str | None
    """Pronouns that the word implies for the holder."""
    word: int
    owners: tuple[str, ...]
    holder: str | None
    """Whom the word refers to, by the resolver."""
    one: bool
    """Whether it is no plural."""
    called: bool
    """Whether somebody is called so to their face."""
    stated: tuple[KinshipMention, ...]


def uses(reading: IndexedBook) -> Iterator[RelationUse]:
    """Yield the uses in story order."""
    for sentence, nouns in reading.sentences_with(relation_words()):
        reader = _KinshipReader(reading, sentence)
        for noun in nouns:
            if (use := reader.use(noun)) is not None:
                yield use


class _KinshipReader:
    """Read the relation mentions of one sentence."""

    def __init__(self, reading: IndexedBook, sentence: ParsedSentence) -> None:
        self._r = reading
        self._s = sentence
        self._moods = Moods(sentence, lambda offset: reading.quote_at(offset) is not None)

    def use(self, n: int) -> RelationUse | None:
        s = self._s
        meant = meant_by(s.lemma(n)) if s.tag(n) in ("NOUN", "PROPN") else None
        if meant is None or s.lemma(n) in words("called_kin"):
            return None
        relation, gender = meant
        owners = [(owner, whose) for owner in self._owners(n) if (whose := self._r.who(owner)) is not None]
        return RelationUse(
            relation,
            gender,
            n,
            tuple(dict.fromkeys(whose for _, whose in owners)),
            self._r.who(n),
            s.word(n) == s.lemma(n),
            s.relation(n) == "vocative",
            tuple(self._stated(n, relation, gender, owners)),
        )

    def _stated(
        self, n: int, relation: RelationType, gender: str | None, owners: Sequence[tuple[int, str]]
    ) -> Iterator[KinshipMention]:
        quoted = self._r.quote_at(self._s.start(n)) is not None
        for holder, weight in self._holders(n) if owners else ():
            who = self._r.who(holder)
            if who is None or not fits(self._r.people[who].pronouns, gender):
                continue
            for owner, whose in owners:
                if who == whose:
                    continue
                sure = self._sure(owner) * self._sure(holder)
                if quoted and weight == CALLED:
                    sure *= _SPOKEN
                yield KinshipMention(
                    relation,
                    who,
                    whose,
                    weight * sure,
                    self._s.start(n),
                    weight > CALLED,
                    self._r.named(owner) and self._r.named(holder),
                    quoted,
                    self._qualifier(n),
                )

    def _owners(self, n: int) -> list[int]:
        """Return the words for the owners: `her`, `Anna's`, `of Anna and Tom`."""
        s = self._s
        above = s.head(n)
        heads = [n, above] if above is not None and s.relation(n) in BESIDE_BY[1:] else [n]
        for head in heads:
            if (owner := s.kid(head, "nmod:poss")) is not None and self._by(owner, n):
                return [owner]
        of = next((k for k in s.kids(n, "nmod") if self._case(k) in _OF and k > n), None)
        return [] if of is None else [of, *s.kids(of, "conj")[:_MOST]]

    def _case(self, k: int) -> str | None:
        """Return the preposition of a name, whichever of its words the parser attaches it to."""
        found = (self._s.case(word) for word in (k, *self._s.kids(k, "flat")))
        return next((case for case in found if case), None)

    def _by(self, owner: int, n: int) -> bool:
        """Whether only modifiers stand between owner and noun: not `that love of his, her friend`."""
        return owner < n and all(self._s.tag(k) in _BETWEEN for k in range(owner + 1, n))

    def _holders(self, n: int) -> Iterator[tuple[int, float]]:
        """Yield words for the holders, each with the weight of how plainly the relation is stated."""
        s = self._s
        many = s.word(n) != s.lemma(n) and s.word(n).endswith("s")
        beside = [] if s.kids(n, "cop") else names_beside(self._r, s, n)
        if beside:
            every = [j for k in beside for j in (k, *s.kids(k, "conj"))] if many else beside[:1]
            yield from ((word, BESIDE) for word in dict.fromkeys(every[:_MOST]) if self._r.named(word))
            return
        subject = said_of(s, n)
        if subject is not None:
            mood = self._moods.of(n)
            if not mood.negated and mood.modal is None and not many:
                yield subject, SAID
        elif not many and self._r.who(n) and not s.kids(n, "cop"):
            yield n, CALLED

    def _sure(self, word: int) -> float:
        """Return the certainty of who a word refers to. `my` is as certain as the speaker."""
        mention = self._r.meant[word]
        if mention.kind is MentionKind.PROPER:
            return 1.0
        if mention.kind is MentionKind.NOMINAL:
            return mention.confidence
        quote = self._r.quote_at(mention.span.start)
        if quote is None or self._s.word(word) in ("his", "her", "their", "he", "she", "him"):
            return _VAGUE_PRONOUN * mention.confidence
        return quote.confidence * mention.confidence

    def _qualifier(self, n: int) -> str | None:
        said = (self._s.word(k) for k in self._s.kids(n, "amod"))
        return next((word for word in said if word in words("qualifiers")), None)
