"""What turns a life: marriages, deaths, proposals. A book says so in many places, and seldom where it happens.

Every place votes, whether it tells the thing, has somebody speak of it, or only names it (`his proposals`); a
single place may be mistaken about whom it means, and several that agree hardly are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from coref.traits.sentences import Sentence
from coref.types import MentionKind, Tense, Trait, TraitKind
from generation.dossier.reading import LONGEST, Reading
from generation.dossier.types import Milestone
from generation.lexicon import rows

_TOLD, _SAID, _NAMED = 1.0, 0.6, 0.5
"""Votes of a place that tells it, of one where somebody says so, and of one that takes it for known."""
_PRONOUN = 0.75
"""What is left of a vote where a pronoun says of whom."""
ENOUGH = 1.6
"""Votes from which it is told."""
_CLEAR = 1.5
"""Times as many votes as the next has whom it can't be true of as well."""
_ALIVE = 2
"""Chapters in which somebody does something after they died, from which they did not."""
_KEEP = 4
"""Places that are cited at most."""
_FIELDS = ("sides", "says", "verbs", "with", "nouns", "adjectives")
_ONE_OTHER = frozenset(("marry", "engage", "elope"))
"""Of which one does not do several."""


class Sides(StrEnum):
    ALONE = "alone"
    ONTO = "onto"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    sides: Sides
    says: tuple[str, str]
    verbs: frozenset[str]
    prepositions: frozenset[str]
    nouns: frozenset[str]
    adjectives: frozenset[str]


@cache
def kinds() -> Mapping[str, Kind]:
    return {row[0]: _kind(row) for row in rows("milestones")}


def _kind(row: tuple[str, ...]) -> Kind:
    told: dict[str, list[str]] = {field: [] for field in _FIELDS}
    field = ""
    for word in row[1:]:
        if word in told and not (field == "with" and word == "with"):
            field = word
        else:
            told[field].append(word)
    one, many = (said.replace("_", " ") for said in told["says"])
    return Kind(
        row[0],
        Sides(told["sides"][0]),
        (one, many),
        frozenset(told["verbs"]),
        frozenset(told["with"]),
        frozenset(told["nouns"]),
        frozenset(told["adjectives"]),
    )


@cache
def _by_word() -> Mapping[tuple[TraitKind, str], tuple[Kind, ...]]:
    found: defaultdict[tuple[TraitKind, str], tuple[Kind, ...]] = defaultdict(tuple)
    for kind in kinds().values():
        told = (
            (TraitKind.DOES, kind.verbs),
            (TraitKind.UNDERGOES, kind.verbs),
            (TraitKind.HAS, kind.nouns),
            (TraitKind.IS, kind.adjectives),
        )
        for trait, lemmas in told:
            for lemma in lemmas:
                found[trait, lemma] += (kind,)
    return found


@dataclass(frozen=True, slots=True)
class _Vote:
    kind: Kind
    one: str
    other: str | None
    weight: float
    at: int
    plain: bool
    """The story itself tells it."""


class Milestones:
    """Of one book."""

    def __init__(self, reading: Reading) -> None:
        self._r = reading

    def of(self, character: str) -> tuple[Milestone, ...]:
        """In story order."""
        mine = [m for m in self._all if character in (m.subject, m.other)]
        return tuple(sorted(mine, key=lambda m: m.citations[0].span))

    @cached_property
    def _all(self) -> list[Milestone]:
        cases: defaultdict[tuple[str, str, str | None], list[_Vote]] = defaultdict(list)
        for vote in self._votes():
            cases[vote.kind.name, vote.one, vote.other].append(vote)
        totals = {case: sum(v.weight for v in votes) for case, votes in cases.items()}
        kept = [case for case, total in totals.items() if self._holds(case, cases[case], total, totals)]
        return [self._milestone(case, cases[case], totals[case]) for case in kept]

    def _holds(
        self,
        case: tuple[str, str, str | None],
        votes: list[_Vote],
        total: float,
        totals: Mapping[tuple[str, str, str | None], float],
    ) -> bool:
        name, one, other = case
        if total < ENOUGH or not any(v.plain for v in votes):
            return False
        if name == "die":
            return not self._lives_on(one, self._place(votes).at)
        if name not in _ONE_OTHER:
            return True
        rivals = (t for (n, a, b), t in totals.items() if n == name and (a, b) != (one, other)
                  and {a, b} & {one, other})  # fmt: skip
        return total >= _CLEAR * max(rivals, default=0.0)

    def _lives_on(self, who: str, at: int) -> bool:
        chapters = self._r.book.chapters
        died = self._r.book.chapter_at(at)
        later = {
            chapter.index
            for t in self._r.traits_of(who)
            if t.kind is TraitKind.DOES and not t.quoted and t.modal is None and t.span.start > at
            and (chapter := self._r.book.chapter_at(t.span.start)) is not None and chapter != died
        }  # fmt: skip
        return len(later) >= min(_ALIVE, max(1, len(chapters) - 1))

    def _milestone(self, case: tuple[str, str, str | None], votes: list[_Vote], total: float) -> Milestone:
        name, one, other = case
        place = self._place(votes)
        rest = sorted((v for v in votes if v is not place), key=lambda v: (-v.weight, v.at))
        cited = [self._r.cite(v.at) for v in (place, *rest[: _KEEP - 1])]
        return Milestone(name, one, other, tuple(dict.fromkeys(cited)), round(total, 3))

    def _place(self, votes: list[_Vote]) -> _Vote:
        """Where it is told the most plainly, and of several such places the first."""
        return max(votes, key=lambda v: (v.plain, v.weight >= _TOLD * _PRONOUN, -v.at))

    def _votes(self) -> Iterator[_Vote]:
        by_word = _by_word()
        for trait in self._r.annotations.traits if len(self._r.parse) else ():
            if trait.negated or trait.modal is not None or trait.tense is Tense.FUTURE:
                continue
            lemma = trait.lemma.split()[0]
            for kind in by_word.get((trait.kind, lemma), ()):
                yield from self._vote(kind, trait)

    def _vote(self, kind: Kind, t: Trait) -> Iterator[_Vote]:
        r = self._r
        word = r.word_at(t.span.end - 1 if t.kind in (TraitKind.IS, TraitKind.HAS) else t.span.start)
        s = r.sentence_of(word)
        if s.end - s.first > LONGEST or s.asked(word) or r.who(word) == t.other is not None:
            return
        one, other = t.character, self._other(kind, t, s, word)
        if t.kind is TraitKind.UNDERGOES:
            one, other = other or "", t.character
            if not one and kind.sides is not Sides.ALONE:
                return
        if kind.sides is Sides.ALONE:
            if t.kind is TraitKind.UNDERGOES:
                return
            other = None
        elif other is None or other == one:
            return
        elif kind.sides is Sides.BOTH and one > other:
            one, other = other, one
        told = t.kind is not TraitKind.HAS
        weight = _NAMED if not told else _SAID if t.quoted else _TOLD
        if not self._by_name(s, word):
            weight *= _PRONOUN
        yield _Vote(kind, one, other, weight, t.span.start, told and not t.quoted)

    def _other(self, kind: Kind, t: Trait, s: Sentence, word: int) -> str | None:
        """Whoever is at the other end, by the grammar that this kind wants."""
        r = self._r
        if t.kind is TraitKind.UNDERGOES:
            return t.other
        near = s.kids(word, "obj", "iobj") if t.kind is TraitKind.DOES else []
        behind = [k for k in s.kids(word, "obl", "nmod") if s.case(k) in kind.prepositions]
        found = (r.who(k) for k in (*near, *behind))
        return next((who for who in found if who is not None and who != t.character), None)

    def _by_name(self, s: Sentence, word: int) -> bool:
        around = (self._r.meant.get(k) for k in s.kids(word, "nsubj", "nsubj:pass", "obj", "nmod:poss"))
        return any(m is not None and m.kind is MentionKind.PROPER for m in around)
