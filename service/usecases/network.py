"""Who has to do with whom, up to the spoiler gate."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from books.types import Span
from coref.types import Character, CharacterKind
from generation.cast import Cast, cast_of
from service.services import Services
from service.shelf import View
from service.usecases.characters import open_view

_SPOKEN = 1.5
"""What a speech to one another weighs beside a paragraph that both are in."""
_SHOWN = 5
"""Passages of an edge that are named."""


@dataclass(frozen=True, slots=True)
class Edge:
    one: str
    other: str
    together: int
    """Paragraphs that both are in."""
    spoken: int
    """Quotes that one says to the other."""
    weight: float
    chapters: tuple[int, ...]
    """Where they meet, counted from 1."""
    places: tuple[Span, ...]
    """Some of those paragraphs, spread over the book."""


@dataclass(frozen=True, slots=True)
class Network:
    view: View
    people: tuple[Character, ...]
    edges: tuple[Edge, ...]
    """The heaviest first."""


def network(
    services: Services, *, library: str, book_id: str, upto: str | None = None, most: int = 30
) -> Network:
    """Of the `most` most mentioned people; groups are none."""
    view = open_view(services, library=library, book_id=book_id, upto=upto)
    cast = cast_of(view.book, view.annotations)
    people = tuple(c for c in view.annotations.characters if c.kind is not CharacterKind.GROUP)[:most]
    spoken = Counter(frozenset((str(q.speaker), str(q.addressee))) for q in view.annotations.quotes)
    places = {person.id: set(cast.paragraphs_of(person.id)) for person in people}
    edges = [
        _edge(cast, one.id, other.id, sorted(places[one.id] & places[other.id]), spoken)
        for one, other in combinations(people, 2)
    ]
    heaviest = sorted((e for e in edges if e.weight), key=lambda e: (-e.weight, e.one, e.other))
    return Network(view, people, tuple(heaviest))


def _edge(cast: Cast, one: str, other: str, both: list[int], spoken: Counter[frozenset[str]]) -> Edge:
    paragraphs = [cast.book.paragraphs[at] for at in both]
    said = spoken[frozenset((one, other))]
    step = max(1, len(paragraphs) // _SHOWN)
    return Edge(
        one,
        other,
        together=len(both),
        spoken=said,
        weight=len(both) + _SPOKEN * said,
        chapters=tuple(sorted({p.chapter + 1 for p in paragraphs})),
        places=tuple(p.span for p in paragraphs[::step][:_SHOWN]),
    )
