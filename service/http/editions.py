"""The current edition of a book, with one database query for all concurrent requests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from anyio import to_thread

from db.database import Database
from db.repositories import BookRepository
from db.types import EditionRecord

_Book = tuple[str, str]
"""Library and id of a book."""


class Editions:
    """One database query answers all requests that arrived before it started.

    A request that arrives while a query is running waits for the next one. It therefore never gets an edition
    that was replaced before it arrived, even if another process replaced it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asked: dict[_Book, asyncio.Future[EditionRecord | None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def current(self, book_id: str, *, library: str) -> EditionRecord | None:
        """Returns None if the book does not exist or is not published yet. Raises DatabaseAway."""
        asked = self._asked.get((library, book_id))
        if asked is None:
            asked = self._asked[library, book_id] = asyncio.get_running_loop().create_future()
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(asked)  # others still wait if this one is cancelled

    async def _look(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                try:
                    found = await to_thread.run_sync(self._read, {book_id for _, book_id in asked})
                except Exception as error:
                    for waiting in asked.values():
                        waiting.set_exception(error)
                else:
                    for book, waiting in asked.items():
                        waiting.set_result(found.get(book))
        finally:
            self._looking = None

    def _read(self, ids: Collection[str]) -> dict[_Book, EditionRecord]:
        with self._database.session(read_only=True) as session:
            return BookRepository(session).editions(ids)
