"""Finds a character by name in the whole library."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Final

from books.errors import BookwormError
from coref.census import slug
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import near_hint, quoted
from coref.types import Character
from db.repositories import CharacterRepository
from db.types import CharacterRecord
from generation.errors import NotYetMet
from service.errors import GateInvalid
from service.library import Library
from service.shelf import View
from service.usecases.characters import met
from service.usecases.searching import OF_THE_BOOK

_Person = tuple[str, str | None, str, str]
"""Book, its title, id and name."""
_HINTING_BOOKS: Final = 5
"""Maximum number of books that are opened for near names of a name that nobody has."""


def only_one(library: Library, *, name: str, upto: str | None = None) -> tuple[str, str]:
    """The book and id of the only character with that name or id. The error lists several."""
    with library.services.database.session(read_only=True) as session:
        characters = CharacterRepository(session)
        found = characters.search(library=library.name, name=name)
        found = found or characters.with_key(library=library.name, key=name)
        found = found or characters.spelt_like(library=library.name, name=name, spelling=slug)
    people = [(c.book_id, c.book_title, c.key, c.name) for c in found]
    if upto is not None:
        people = _met_in(library, name, ((c.book_id, c.book_title) for c in found), upto)
    if not people:
        raise _nobody(name, _near_in(library, name, upto), gated=upto is not None)
    if len(people) > 1:
        listed = "; ".join(f"{called} in {title or book}" for book, title, _, called in people)
        raise CharacterAmbiguous(
            f"{quoted(name)} matches {len(people)} characters: {listed}.",
            candidates=tuple(f"{book}/{key}" for book, _, key, _ in people),
            remedy="Choose one of the candidates, which are listed as book/id, and give its book and id.",
        )
    book_id, _, key, _ = people[0]
    return book_id, key


def called(library: Library, *, part: str, most: int) -> list[CharacterRecord]:
    """Characters in whole books whose names have words with these prefixes, most mentioned first."""
    with library.services.database.session(read_only=True) as session:
        return CharacterRepository(session).beginning(library=library.name, part=part, limit=most)


def _met_in(library: Library, name: str, books: Iterable[tuple[str, str | None]], upto: str) -> list[_Person]:
    """The characters with this name in each book, up to `upto`. A book that has no such place has none.

    The table of the library has the names from whole books. With `upto` it must not be used, because it would
    reveal that two people turn out to be one.
    """
    people: list[_Person] = []
    refused: list[GateInvalid] = []
    titles = dict(books)
    for book_id, title in titles.items():
        try:
            view = library.view(book_id, upto)
        except GateInvalid as error:
            refused.append(GateInvalid(f"{title or book_id}: {error.detail}", remedy=error.advice))
            continue
        people += [(book_id, title, one.id, one.name) for one in _met(view, name)]
    if refused and len(refused) == len(titles):
        raise refused[0]
    return people


def _met(view: View, name: str) -> list[Character]:
    """Whom the name means in one book: nobody, somebody, or several."""
    try:
        return [met(view, name)]
    except NotYetMet:
        return []
    except CharacterAmbiguous as error:
        return [one for key in error.candidates if (one := view.annotations.character(key))]


def _near_in(library: Library, name: str, upto: str | None) -> str:
    """The hint of the newest book that has near names, as far as it has been read."""
    for record in islice(library.every_book(), _HINTING_BOOKS):
        with suppress(GateInvalid, *OF_THE_BOOK):
            if hint := near_hint(library.view(record.id, upto).annotations, name):
                return hint
    return ""


def _nobody(name: str, hint: str, *, gated: bool) -> BookwormError:
    if gated:
        return NotYetMet(f"{quoted(name)} has not appeared in the chapters you have read.{hint}")
    return CharacterUnknown(f"No book in this library has a character named {quoted(name)}.{hint}")
