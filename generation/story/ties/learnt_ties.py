"""The ties of a book's people that are probable and go together.

How probable a tie is by what the book shows of it (`tie_signs`) is learnt from readers' ties of 66 novels, by
`bookworm train ties`. The weights lie in `generation/data/tie_odds.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from coref import odds
from coref.doubtful_people import MERE_PRONOUN
from generation.story.indexed_book import IndexedBook
from generation.story.ties.relation_words import RelationType, relations, usual
from generation.story.ties.tie_signs import FAMILY, FEATURES, SignReader, TieKey, TieSigns
from generation.story.types import Citations, Tie
from generation.types import Citation

LEAST = 0.5
"""Probability from which two people have a tie."""
_CITED = 3
_KEPT = 4
"""Books whose ties are kept between calls."""


@dataclass(frozen=True, slots=True)
class FoundTie:
    key: TieKey
    signs: TieSigns
    probability: float

    def relation(self, *, turned: bool) -> RelationType:
        """Return what the tie is from one person's side: the relation that is stated most often."""
        kind = usual(self.key.tie, turned=turned)
        said = Counter(s.relation for s in self.signs.stated for _ in range(1 + 2 * s.plain))
        mine = Counter({r: n for r, n in said.items() if r.turned == kind.turned})
        theirs = (r.inverse for r, _ in (said - mine).most_common())
        turned_back = (relations()[name] for name in theirs if name in relations())
        return next((r for r, _ in mine.most_common(1)), None) or next(turned_back, kind)


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("tie_odds", FEATURES, of="tie", package="generation")


def found_in(reading: IndexedBook, model: odds.LearntOdds) -> tuple[FoundTie, ...]:
    """Return the ties of a book, most probable first. Two people have one tie, and nobody has two mothers."""
    reader = SignReader(reading)
    rows = reader.rows()
    said = model.probabilities(list(rows.values()))
    taken: set[object] = set()
    found = []
    most = (MERE_PRONOUN if _is_doubtful(key, reader.signs[key], reading) else 1.0 for key in rows)
    probable = sorted(zip(map(min, said.tolist(), most), rows, strict=True), key=lambda p: (-p[0], p[1]))
    for probability, key in probable:
        roles = {frozenset(key[1:]), *reader.roles(key)}
        if probability >= LEAST and taken.isdisjoint(roles):
            taken |= roles
            found.append(FoundTie(key, reader.signs[key], probability))
    return tuple(found)


def _is_doubtful(key: TieKey, signs: TieSigns, reading: IndexedBook) -> bool:
    """Return whether a tie is of a doubtful person and is never stated with both names."""
    return not reading.cast.doubtful.keys().isdisjoint(key[1:]) and not any(s.named for s in signs.stated)


@lru_cache(maxsize=_KEPT)
def _found(reading: IndexedBook) -> tuple[FoundTie, ...]:
    return found_in(reading, shipped())


def ties(reading: IndexedBook, character: str) -> Iterator[Tie]:
    """Yield the ties of one person, most probable first."""
    for each in _found(reading):
        if character not in each.key[1:]:
            continue
        turned = character == each.key.other
        relation = each.relation(turned=turned)
        term = relation.term(reading.people[character].pronouns)
        if term is not None:
            yield Tie(
                subject=character,
                term=term,
                other=each.key.one if turned else each.key.other,
                family=each.key.tie in FAMILY,
                certainty=round(each.probability, 2),
                places=_cited(reading, each.signs),
                qualifier=_qualifier(each.signs, character),
            )


def _cited(reading: IndexedBook, signs: TieSigns) -> Citations:
    places: list[Citation] = []
    for _, at in sorted(signs.places, key=lambda place: (-place[0], place[1])):
        if len(places) == _CITED:
            break
        if (place := reading.cite(at)) not in places:
            places.append(place)
    return tuple(sorted(places, key=lambda place: place.span))


def _qualifier(signs: TieSigns, character: str) -> str | None:
    said = Counter(s.qualifier for s in signs.stated if s.qualifier and s.plain and s.holder == character)
    return said.most_common(1)[0][0] if said else None
