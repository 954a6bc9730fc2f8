"""The network of characters and the passages they share, up to `upto`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import combinations

from books.types import Paragraph
from coref.types import Character, CharacterKind, Quote
from generation.story.cast import CastIndex, cast_of
from service.shelf import View
from service.usecases.characters import met

_SPOKEN = 1.5
"""Weight of a quote from one to the other, relative to a shared paragraph."""


@dataclass(frozen=True, slots=True)
class Edge:
    one: str
    other: str
    together: int
    """Number of paragraphs that have a name or a pronoun of both."""
    spoken: int
    """Number of quotes that one says to the other."""
    weight: float
    chapters: tuple[int, ...]
    """Chapters of these paragraphs and quotes, counted from 1."""


@dataclass(frozen=True, slots=True)
class Network:
    view: View
    people: tuple[Character, ...]
    edges: tuple[Edge, ...]
    """Edges, highest weight first."""


def network(view: View, *, most: int = 30) -> Network:
    """The network of the `most` most mentioned people, without groups."""
    cast = cast_of(view.book, view.annotations)
    people = tuple(c for c in view.annotations.characters if c.kind is not CharacterKind.GROUP)[:most]
    spoken: dict[frozenset[str | None], list[Quote]] = defaultdict(list)
    for quote in view.annotations.quotes:
        spoken[frozenset((quote.speaker, quote.addressee))].append(quote)
    places = {person.id: set(cast.paragraphs_of(person.id)) for person in people}
    edges = [
        _edge(
            cast,
            one.id,
            other.id,
            places[one.id] & places[other.id],
            spoken.get(frozenset((one.id, other.id)), []),
        )
        for one, other in combinations(people, 2)
    ]
    heaviest = sorted((e for e in edges if e.weight), key=lambda e: (-e.weight, e.one, e.other))
    return Network(view, people, tuple(heaviest))


def _edge(cast: CastIndex, one: str, other: str, both: set[int], said: Sequence[Quote]) -> Edge:
    book = cast.book
    spoken_in = (book.chapter_at(quote.span.start) for quote in said)
    met_in = {book.paragraphs[at].chapter + 1 for at in both} | {c.number for c in spoken_in if c}
    return Edge(
        one,
        other,
        together=len(both),
        spoken=len(said),
        weight=len(both) + _SPOKEN * len(said),
        chapters=tuple(sorted(met_in)),
    )


@dataclass(frozen=True, slots=True)
class Meeting:
    """A paragraph that characters share."""

    paragraph: Paragraph
    together: bool
    """Whether it mentions all of them."""
    spoken: tuple[Quote, ...]
    """Quotes in it that one of them says to another."""


@dataclass(frozen=True, slots=True)
class Meetings:
    view: View
    people: tuple[Character, ...]
    items: tuple[Meeting, ...]
    """Passages in story order."""


def meetings(view: View, *, names: Sequence[str]) -> Meetings:
    """The passages behind the edges: they mention all of them, or one speaks to another."""
    people = {person.id: person for person in (met(view, name) for name in names)}
    cast = cast_of(view.book, view.annotations)
    shared = set.intersection(*(set(cast.paragraphs_of(person)) for person in people))
    both = shared if len(people) > 1 else set()
    spoken = _spoken_among(cast, people.keys())
    found = (
        Meeting(cast.book.paragraphs[at], at in both, tuple(spoken.get(at, ())))
        for at in sorted(both | spoken.keys())
    )
    return Meetings(view, tuple(people.values()), tuple(found))


def _spoken_among(cast: CastIndex, people: Container[str | None]) -> dict[int, list[Quote]]:
    """Quotes by the index of the paragraph in which they start."""
    found: dict[int, list[Quote]] = {}
    for quote in cast.annotations.quotes:
        among = quote.speaker in people and quote.addressee in people and quote.speaker != quote.addressee
        if among and (paragraph := cast.book.paragraph_at(quote.span.start)):
            found.setdefault(paragraph.index, []).append(quote)
    return found
