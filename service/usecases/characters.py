"""Who is in a book and where they are mentioned, up to the spoiler gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Book, Chapter
from coref.errors import CharacterUnknown
from coref.lookup import find
from coref.types import Character, Mention, Merge
from generation.errors import NotYetMet
from generation.writing import passage_selection
from retrieval.types import Query
from service.shelf import View


@dataclass(frozen=True, slots=True)
class Presence:
    """A character with where the book has them."""

    character: Character
    first_chapter: int
    """Counted from 1."""
    by_chapter: tuple[int, ...]
    """Mentions in each chapter."""
    merges: tuple[Merge, ...]
    """Why their names were taken for one character's."""


def cast(view: View) -> tuple[Presence, ...]:
    """Everybody met so far, most mentioned first."""
    return presences(view, view.annotations.characters)


def one(view: View, key: str) -> Presence:
    return presences(view, [met(view, key)])[0]


def mentions(view: View, key: str) -> tuple[Mention, ...]:
    """Every mention of a character in story order."""
    return view.annotations.mentions_of(met(view, key).id)


def met(view: View, name: str) -> Character:
    """The character called `name`, if the reader has met one.

    Behind a gate nobody learns whether the name comes later: it is "not yet met" either way.
    """
    try:
        return find(view.annotations, name)
    except CharacterUnknown:
        if view.upto is None:
            raise
        raise NotYetMet(f"Nobody called “{name}” has appeared as far as you have read.") from None


def query_for(view: View, people: Sequence[Character], *, k: int, token_budget: int | None = None) -> Query:
    """As all that look for people ask, as far as the reader has read."""
    return passage_selection.query_for(people, k=k, token_budget=token_budget, upto=view.upto)


def presences(view: View, people: Sequence[Character]) -> tuple[Presence, ...]:
    counts = {person.id: [0] * len(view.book.chapters) for person in people}
    chapters = _Chapters(view.book)
    for mention in view.annotations.mentions:
        if mention.character in counts:
            counts[mention.character][chapters.at(mention.span.start)] += 1
    merges: dict[str, list[Merge]] = {person.id: [] for person in people}
    for merge in view.annotations.merges:
        if merge.character in merges:
            merges[merge.character].append(merge)
    return tuple(
        Presence(person, chapters.at(person.first) + 1, tuple(counts[person.id]), tuple(merges[person.id]))
        for person in people
    )


class _Chapters:
    """Chapter of each offset, for offsets that mostly come in order."""

    def __init__(self, book: Book) -> None:
        self._chapters: tuple[Chapter, ...] = book.chapters
        self._book = book
        self._last = 0

    def at(self, offset: int) -> int:
        if not self._chapters[self._last].span.start <= offset < self._chapters[self._last].span.end:
            found = self._book.chapter_at(offset)
            self._last = found.index if found else 0
        return self._last
