"""A book to write about, and short sessions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from coref.types import Alias, Character, CharacterKind
from db.database import Database
from db.repositories import BookRepository
from db.types import BookRecord, ReadingOptions

AddBook = Callable[..., BookRecord]


@pytest.fixture
def add_book(database: Database) -> AddBook:
    numbers = count()

    def add(library: str = "home", content: str | None = None, title: str | None = None) -> BookRecord:
        with database.session() as session:
            book, _ = BookRepository(session).ensure(
                library=library,
                content_sha256=content or f"content-{next(numbers)}",
                filename="emma.txt",
                size=900_000,
                options=ReadingOptions(title=title),
            )
        return book

    return add


@pytest.fixture
def book(add_book: AddBook) -> BookRecord:
    return add_book()


def person(name: str, *aliases: str, mentions: int = 10, key: str | None = None) -> Character:
    return Character(
        id=key or f"c-{name.casefold()}",
        name=name,
        aliases=tuple(Alias(text, 1, 0) for text in (name, *aliases)),
        kind=CharacterKind.PERSON,
        pronouns="she/her",
        mention_count=mentions,
        first=0,
    )
