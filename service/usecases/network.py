"""The network of characters and the passages they share, up to `upto`."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import combinations

from books.types import Paragraph
from coref.types import Character, CharacterKind, Quote
from generation.story.cast import CastIndex, cast_of
from generation.story.company import CompanyCounts
from generation.story.indexed_book import reading_of
from generation.story.types import Company
from service.shelf import View
from service.usecases.characters import met


@dataclass(frozen=True, slots=True)
class Network:
    view: View
    people: tuple[Character, ...]
    edges: tuple[Company, ...]
    """Highest weight first."""


def network(view: View, *, most: int = 30) -> Network:
    """The network of the `most` most mentioned people, without groups."""
    people = tuple(c for c in view.annotations.characters if c.kind is not CharacterKind.GROUP)[:most]
    counts = CompanyCounts(reading_of(cast_of(view.book, view.annotations)))
    edges = (counts.between(one.id, other.id) for one, other in combinations(people, 2))
    heaviest = sorted((e for e in edges if e.weight), key=lambda e: (-e.weight, e.one, e.other))
    return Network(view, people, tuple(heaviest))


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
