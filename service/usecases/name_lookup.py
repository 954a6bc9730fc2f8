"""Finds a character by name in the whole library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from books.errors import BookwormError
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import Closeness, bare, closest, likely, may_fit, near_hint, quoted
from coref.types import Alias, Character, CharacterKind
from db.repositories import CharacterRepository
from db.types import CharacterRecord
from generation.errors import NotYetMet
from service.errors import GateInvalid
from service.library import Library
from service.usecases.searching import OF_THE_BOOK

_Book = tuple[str, str | None]
"""Its id and title."""
_Person = tuple[str, str | None, str, str]
"""Book, its title, id and name."""
_LISTED: Final = 20
"""Maximum number of candidates that are listed."""
_OPENED: Final = 20
"""Maximum number of books that are opened to see whom a name means as far as they have been read."""
_HINTING_BOOKS: Final = 5
"""Maximum number of books that are opened for near names of a name that nobody has."""


def only_one(library: Library, *, name: str, upto: str | None = None) -> tuple[str, str]:
    """The book and id of the only character whom the name means in any book. The error lists several.

    In each book it means whom it means when that book is asked. Of several books, those count whose people it
    fits most closely.
    """
    people = _meant(library, name) if upto is None else _met_in(library, name, upto)
    if not people:
        raise _nobody(name, _near_in(library, name, upto), gated=upto is not None)
    if len(people) > 1:
        listed = "; ".join(f"{called} in {title or book}" for book, title, _, called in people[:_LISTED])
        raise CharacterAmbiguous(
            f"{quoted(name)} matches {len(people)} characters: {listed}.",
            candidates=tuple(f"{book}/{key}" for book, _, key, _ in people[:_LISTED]),
            remedy="Choose one of the candidates, which are listed as book/id, and give its book and id.",
        )
    book_id, _, key, _ = people[0]
    return book_id, key


def called(library: Library, *, part: str, most: int) -> list[CharacterRecord]:
    """Characters in whole books whose names have words with these prefixes, most mentioned first."""
    with library.services.database.session(read_only=True) as session:
        return CharacterRepository(session).beginning(library=library.name, part=part, limit=most)


def _meant(library: Library, name: str) -> list[_Person]:
    """Whom the name means, by the table of the library. All names are read only if none has its words."""
    with library.services.database.session(read_only=True) as session:
        characters = CharacterRepository(session)
        for enough, find in (
            (Closeness.NAME, _named),
            (Closeness.PART, _with_words),
            (Closeness.SCRIPT, _with_alias),
        ):
            found = find(characters, library.name, name)
            closeness, people = _closest(_by_book(found), name)
            if closeness <= enough:
                return people
    return []


def _named(characters: CharacterRepository, library: str, name: str) -> list[CharacterRecord]:
    with_key = characters.with_key(library=library, key=name.strip())
    return with_key or characters.named(library=library, name=name)


def _with_words(characters: CharacterRepository, library: str, name: str) -> list[CharacterRecord]:
    return characters.with_words(library=library, words=bare(name).split())


def _with_alias(characters: CharacterRepository, library: str, name: str) -> list[CharacterRecord]:
    return characters.with_alias(library=library, fits=may_fit(name))


def _by_book(found: Iterable[CharacterRecord]) -> dict[_Book, list[Character]]:
    books: dict[_Book, list[Character]] = {}
    for one in found:
        aliases = tuple(Alias(text, 0, 0) for text in one.aliases)
        person = Character(
            one.key, one.name, aliases, CharacterKind(one.kind), one.pronouns, one.mention_count, 0
        )
        books.setdefault((one.book_id, one.book_title), []).append(person)
    return books


def _closest(books: Mapping[_Book, Sequence[Character]], name: str) -> tuple[Closeness, list[_Person]]:
    """Whom the name means in the books whose people it fits most closely, and how closely that is."""
    fitting = {book: closest(people, name) for book, people in books.items()}
    best = min((closeness for closeness, _ in fitting.values()), default=Closeness.NONE)
    return best, [
        (*book, one.id, one.name)
        for book, (closeness, found) in fitting.items()
        if closeness == best and found
        for one in likely(found)
    ]


def _met_in(library: Library, name: str, upto: str) -> list[_Person]:
    """Whom the name means in the books as far as `upto`. A book that has no such place has nobody.

    The table of the library has the names from whole books. With `upto` it only says which books to open: all
    that have the name in any way, because whom it fits most closely would reveal what is read later.
    """
    with library.services.database.session(read_only=True) as session:
        characters = CharacterRepository(session)
        found = characters.with_key(library=library.name, key=name.strip())
        found += _with_alias(characters, library.name, name)
    read: dict[_Book, Sequence[Character]] = {}
    refused: list[GateInvalid] = []
    for book_id, title in islice(_by_book(found), _OPENED):
        try:
            read[book_id, title] = library.view(book_id, upto).annotations.characters
        except GateInvalid as error:
            refused.append(GateInvalid(f"{title or book_id}: {error.detail}", remedy=error.advice))
    if refused and not read:
        raise refused[0]
    return _closest(read, name)[1]


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
