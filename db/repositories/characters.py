"""The casts of published books, and the search for a name in all books of a library."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, delete, insert, literal, select

from coref.types import Character
from db.names import bare, fold
from db.repositories.base import Repository, record_of
from db.tables import AliasRow, BookRow, CharacterRow
from db.types import CharacterRecord

_MOST: Final = 5_000
"""Maximum number of names or people that one query is about: the most mentioned people."""


class CharacterRepository(Repository):
    def replace(self, book_id: str, characters: Sequence[Character]) -> None:
        """Replace the cast of a book. Raises BookGone."""
        library = self._lock(book_id).library
        self._session.execute(delete(CharacterRow).where(CharacterRow.book_id == book_id))
        if not characters:
            return
        cast = [_row(book_id, position, one) for position, one in enumerate(characters)]
        self._session.execute(insert(CharacterRow), cast)
        names = [row for one in characters for row in _alias_rows(book_id, library, one)]
        self._session.execute(insert(AliasRow), names)

    def of_book(self, book_id: str) -> list[CharacterRecord]:
        """Return the characters in the given order: most mentioned first."""
        people = _people().where(CharacterRow.book_id == book_id).order_by(CharacterRow.position)
        return self._with_aliases(people)

    def named(self, *, library: str, name: str) -> list[CharacterRecord]:
        """Find characters with this name, or with one that differs from it only in a title."""
        alone = bare(fold(name))
        return self._called(library, AliasRow.bare == alone) if alone else []

    def with_words(self, *, library: str, words: Iterable[str]) -> list[CharacterRecord]:
        """Find characters with a name that has all these words."""
        if not (wanted := [one for word in words if (one := fold(word))]):
            return []
        its = literal(" ") + AliasRow.folded + literal(" ")
        return self._called(library, and_(*(its.contains(f" {word} ", autoescape=True) for word in wanted)))

    def with_alias(self, *, library: str, fits: Callable[[str], bool]) -> list[CharacterRecord]:
        """Find characters with a name that `fits`. It is asked about every name of the library."""
        names = select(AliasRow.text).where(AliasRow.library == library).distinct()
        fitting = list(islice(filter(fits, self._session.scalars(names)), _MOST))
        return self._called(library, AliasRow.text.in_(fitting)) if fitting else []

    def with_key(self, *, library: str, key: str) -> list[CharacterRecord]:
        """Find characters with this id, in whichever books."""
        return self._with_aliases(_people().where(BookRow.library == library, CharacterRow.key == key))

    def beginning(self, *, library: str, part: str, limit: int = 20) -> list[CharacterRecord]:
        """Find characters with a name in which a word begins with `part`, most mentioned first."""
        folded = fold(part)
        if not folded:
            return []
        words = literal(" ") + AliasRow.folded
        return self._called(library, words.contains(f" {folded}", autoescape=True), limit)

    def _called(
        self, library: str, condition: ColumnElement[bool], limit: int = _MOST
    ) -> list[CharacterRecord]:
        """Return characters with an alias that meets the condition, most mentioned first."""
        # Distinct, because a person has many names and the limit counts people.
        keys = select(AliasRow.book_id, AliasRow.character_key).distinct()
        names = keys.where(AliasRow.library == library, condition).subquery()
        these = (CharacterRow.book_id == names.c.book_id) & (CharacterRow.key == names.c.character_key)
        order = (CharacterRow.mention_count.desc(), CharacterRow.book_id, CharacterRow.position)
        query = _people().join(names, these).where(BookRow.library == library)
        return self._with_aliases(query.order_by(*order).limit(limit))

    def _with_aliases(self, query: Select[CharacterRow, str | None]) -> list[CharacterRecord]:
        people = self._session.execute(query).all()
        theirs = select(AliasRow.book_id, AliasRow.character_key, AliasRow.text).where(
            AliasRow.book_id.in_({row.book_id for row, _ in people}),
            AliasRow.character_key.in_({row.key for row, _ in people}),
        )
        aliases: dict[tuple[str, str], list[str]] = defaultdict(list)
        for book_id, key, text in self._session.execute(theirs.order_by(AliasRow.position)):
            aliases[book_id, key].append(text)
        return [
            record_of(CharacterRecord, row, book_title=title, aliases=tuple(aliases[row.book_id, row.key]))
            for row, title in people
        ]


def _people() -> Select[CharacterRow, str | None]:
    query = select(CharacterRow, BookRow.title).join(BookRow, BookRow.id == CharacterRow.book_id)
    return query.execution_options(populate_existing=True)


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
