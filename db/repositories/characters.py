"""The casts of published books, and finding a name among all books of a library."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Select, delete, insert, or_, select, tuple_

from coref.types import Character
from db.names import bare, fold
from db.repositories.base import Repository
from db.tables import AliasRow, BookRow, CharacterRow
from db.types import CharacterRecord

HIGHEST = "\U0010ffff"
"""Sorts after every character that a name can go on with."""
KEYS_AT_ONCE = 5_000
"""Two values each: well under what a statement may carry (SQLite 250,000, PostgreSQL 65,535)."""

People: TypeAlias = "Select[CharacterRow, str | None]"


class CharacterRepository(Repository):
    def replace(self, book_id: str, characters: Sequence[Character]) -> None:
        """From now on this is the book's cast. Raises BookGone."""
        library = self._lock(book_id).library
        self._session.execute(delete(CharacterRow).where(CharacterRow.book_id == book_id))
        if not characters:
            return
        cast = [_row(book_id, position, one) for position, one in enumerate(characters)]
        self._session.execute(insert(CharacterRow), cast)
        names = [row for one in characters for row in _alias_rows(book_id, library, one)]
        self._session.execute(insert(AliasRow), names)

    def of_book(self, book_id: str) -> list[CharacterRecord]:
        """In the order they were given: most mentioned first."""
        return self._records(_people().where(CharacterRow.book_id == book_id).order_by(CharacterRow.position))

    def search(
        self, *, library: str, name: str, book_id: str | None = None, limit: int = 20
    ) -> list[CharacterRecord]:
        """Who is called `name`: those called exactly so first, then those for whom only a title differs."""
        folded = fold(name)
        if not folded:
            return []
        # Two questions, an index each; an OR of both would be answered slowly.
        exact = self._called(library, AliasRow.folded == folded, book_id, limit)
        loose = self._called(library, AliasRow.bare == bare(folded), book_id, limit)
        return list(dict.fromkeys(exact + loose))[:limit]

    def suggest(
        self, *, library: str, prefix: str, book_id: str | None = None, limit: int = 10
    ) -> list[CharacterRecord]:
        """Whose name begins so, with or without a title."""
        start = fold(prefix)
        if not start:
            return []
        begins = [column.between(start, start + HIGHEST) for column in (AliasRow.folded, AliasRow.bare)]
        return self._called(library, or_(*begins), book_id, limit)

    def _called(
        self, library: str, condition: ColumnElement[bool], book_id: str | None, limit: int
    ) -> list[CharacterRecord]:
        names = select(AliasRow.book_id, AliasRow.character_key).where(AliasRow.library == library, condition)
        if book_id is not None:
            names = names.where(AliasRow.book_id == book_id)
        people = _people().where(tuple_(CharacterRow.book_id, CharacterRow.key).in_(names))
        order = (CharacterRow.mention_count.desc(), CharacterRow.book_id, CharacterRow.position)
        return self._records(people.order_by(*order).limit(limit))

    def _records(self, people: People) -> list[CharacterRecord]:
        found = self._session.execute(people.execution_options(populate_existing=True)).all()
        aliases = self._aliases([(row.book_id, row.key) for row, _ in found])
        return [_record(row, title, aliases[row.book_id, row.key]) for row, title in found]

    def _aliases(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
        texts: dict[tuple[str, str], list[str]] = defaultdict(list)
        for start in range(0, len(keys), KEYS_AT_ONCE):
            some = keys[start : start + KEYS_AT_ONCE]
            query = (
                select(AliasRow.book_id, AliasRow.character_key, AliasRow.text)
                .where(tuple_(AliasRow.book_id, AliasRow.character_key).in_(some))
                .order_by(AliasRow.position)
            )
            for book_id, key, text in self._session.execute(query):
                texts[book_id, key].append(text)
        return texts


def _people() -> People:
    return select(CharacterRow, BookRow.title).join(BookRow, BookRow.id == CharacterRow.book_id)


def _row(book_id: str, position: int, one: Character) -> dict[str, Any]:
    return {
        "book_id": book_id,
        "key": one.id,
        "position": position,
        "name": one.name,
        "kind": one.kind,
        "pronouns": one.pronouns,
        "mention_count": one.mention_count,
    }


def _alias_rows(book_id: str, library: str, one: Character) -> list[dict[str, Any]]:
    texts = dict.fromkeys([*(alias.text for alias in one.aliases), one.name])
    return [
        {
            "book_id": book_id,
            "character_key": one.id,
            "position": position,
            "library": library,
            "text": text,
            "folded": fold(text),
            "bare": bare(fold(text)),
        }
        for position, text in enumerate(texts)
    ]


def _record(row: CharacterRow, book_title: str | None, aliases: Sequence[str]) -> CharacterRecord:
    return CharacterRecord(
        book_id=row.book_id,
        book_title=book_title,
        key=row.key,
        name=row.name,
        aliases=tuple(aliases),
        kind=row.kind,
        pronouns=row.pronouns,
        mention_count=row.mention_count,
    )
