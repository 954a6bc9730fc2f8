"""Whom a name means when no book is named with it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from books.errors import BookwormError
from coref.errors import CharacterAmbiguous, CharacterUnknown
from db.repositories import CharacterRepository
from db.types import CharacterRecord
from generation.errors import NotYetMet
from service.library import Library
from service.usecases.characters import met


def only_one(library: Library, *, name: str, upto: str | None = None) -> tuple[str, str]:
    """The book and key of the only person of that name; where there are several, the error says who."""
    with library.services.database.session(read_only=True) as session:
        found = CharacterRepository(session).search(library=library.name, name=name)
    people = [(c.book_id, c.book_title, c.key, c.name) for c in found]
    if upto is not None:
        people = _met_in(library, name, dict.fromkeys(c.book_id for c in found), upto)
    if not people:
        raise _nobody(name, gated=upto is not None)
    if len(people) > 1:
        listed = "; ".join(f"{called} in {title or book}" for book, title, _, called in people)
        raise CharacterAmbiguous(
            f"“{name}” may be {len(people)} people: {listed}.",
            candidates=tuple(f"{book}/{key}" for book, _, key, _ in people),
            remedy="Ask again with the book and the key of one candidate; they are given as book/key.",
        )
    book_id, _, key, _ = people[0]
    return book_id, key


def called(library: Library, *, part: str, most: int) -> list[CharacterRecord]:
    """Whoever in the library has a name in which words begin so, over whole books, most mentioned first."""
    with library.services.database.session(read_only=True) as session:
        return CharacterRepository(session).beginning(library=library.name, part=part, limit=most)


def _met_in(
    library: Library, name: str, books: Iterable[str], upto: str
) -> list[tuple[str, str | None, str, str]]:
    """Who is called `name` in each book as far as it is open.

    The library's table knows the names of whole books: to answer from it behind a gate would tell that two
    people turn out to be one.
    """
    people: list[tuple[str, str | None, str, str]] = []
    for book_id in books:
        view = library.view(book_id, upto)
        with suppress(NotYetMet):
            person = met(view, name)
            people.append((book_id, view.book.title, person.id, person.name))
    return people


def _nobody(name: str, *, gated: bool) -> BookwormError:
    if gated:
        return NotYetMet(f"Nobody called “{name}” has appeared as far as you have read.")
    return CharacterUnknown(f"No book of this library has a character called “{name}”.")
