"""The characters of a book and their mentions, up to `upto`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Book, Chapter
from coref.decisions.gating import ids_until_named
from coref.doubtful_people import DoubtfulPerson, doubtful_people
from coref.errors import CharacterUnknown
from coref.language.word_lists import same
from coref.lookup import find, near_hint, quoted
from coref.types import Character, Mention, Merge
from generation.errors import NotYetMet
from generation.writing import passage_selection
from retrieval.types import Query
from service.shelf import View
from service.usecases.merged_characters import Heirs


@dataclass(frozen=True, slots=True)
class Presence:
    """A character with the chapters in which they appear."""

    character: Character
    first_chapter: int
    """Counted from 1."""
    by_chapter: tuple[int, ...]
    """Mentions per chapter."""
    merges: tuple[Merge, ...]
    """Evidence for names that were merged into this character."""
    doubtful: DoubtfulPerson | None
    """Set if this may not be one person at all."""


def cast(view: View) -> tuple[Presence, ...]:
    """All characters up to `upto`, most mentioned first."""
    return presences(view, view.annotations.characters)


def one(view: View, key: str) -> Presence:
    return presences(view, [met(view, key)])[0]


def mentions(view: View, key: str) -> tuple[Mention, ...]:
    """Every mention of a character in story order."""
    return view.annotations.mentions_of(met(view, key).id)


def met(view: View, name: str) -> Character:
    """The character with this name, if they have appeared in what the reader has read.

    An id that a merge has taken away leads to the character that it went into. With `upto` it does only if
    both have been met: the error does not reveal whether the name appears later.
    """
    try:
        return find(view.annotations, name)
    except CharacterUnknown:
        heir = _heir(view, name)
        if heir is not None:
            return heir
        if view.upto is not None:
            hint = near_hint(view.annotations, name)
            raise NotYetMet(f"{quoted(name)} has not appeared in the chapters you have read.{hint}") from None
        raise


def _heir(view: View, key: str) -> Character | None:
    """The character that this id has been merged into, if the reader has met them by the name of both."""
    heir = view.annotations.character(Heirs(view.annotations, view.log).of(key) or "")
    if heir is None or view.upto is None:
        return heir
    name = same(view.former_name(key))
    return heir if any(a.count and same(a.text) == name for a in heir.aliases) else None


def merged(view: View, name: str) -> str | None:
    """A note if this is the id of a character that a correction has merged into another."""
    into = _heir(view, name)
    if into is None or into.id in (name, ids_until_named(view.log).get(name)):
        return None
    return f"{view.former_name(name)} was merged into {into.name}."


def query_for(view: View, people: Sequence[Character], *, k: int, token_budget: int | None = None) -> Query:
    """The common query for passages about characters, up to where the reader has read."""
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
    doubtful = doubtful_people(view.annotations)
    return tuple(
        Presence(
            person,
            chapters.at(person.first) + 1,
            tuple(counts[person.id]),
            tuple(merges[person.id]),
            doubtful.get(person.id),
        )
        for person in people
    )


class _Chapters:
    """Finds the chapter of offsets that are mostly in order."""

    def __init__(self, book: Book) -> None:
        self._chapters: tuple[Chapter, ...] = book.chapters
        self._book = book
        self._last = 0

    def at(self, offset: int) -> int:
        if not self._chapters[self._last].span.start <= offset < self._chapters[self._last].span.end:
            found = self._book.chapter_at(offset)
            self._last = found.index if found else 0
        return self._last
