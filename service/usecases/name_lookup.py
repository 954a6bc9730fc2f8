"""Finds a character by name in the whole library."""

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
    """The book and id of the only character with that name. If there are several, the error lists them."""
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
            f"“{name}” matches {len(people)} characters: {listed}.",
            candidates=tuple(f"{book}/{key}" for book, _, key, _ in people),
            remedy="Choose one of the candidates, which are listed as book/id, and give its book and id.",
        )
    book_id, _, key, _ = people[0]
    return book_id, key


def called(library: Library, *, part: str, most: int) -> list[CharacterRecord]:
    """Characters in whole books whose names have words with these prefixes, most mentioned first."""
    with library.services.database.session(read_only=True) as session:
        return CharacterRepository(session).beginning(library=library.name, part=part, limit=most)


def _met_in(
    library: Library, name: str, books: Iterable[str], upto: str
) -> list[tuple[str, str | None, str, str]]:
    """The characters with this name in each book, up to `upto`.

    The table of the library has the names from whole books. With `upto` it must not be used, because it would
    reveal that two people turn out to be one.
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
        return NotYetMet(f"“{name}” has not appeared in the chapters you have read.")
    return CharacterUnknown(f"No book in this library has a character named “{name}”.")
