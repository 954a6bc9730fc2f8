"""Which edition of a book is current, looked up once for all who ask at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from anyio import to_thread

from db.database import Database
from db.repositories import BookRepository
from db.types import EditionRecord

_Book = tuple[str, str]
"""Its library and its id."""


class Editions:
    """One look into the database answers everybody who asked before it began.

    Whoever asks while a look is under way waits for the next one, so nobody is told of an edition that had
    been replaced before they asked, also when another process replaced it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asked: dict[_Book, asyncio.Future[EditionRecord | None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def current(self, book_id: str, *, library: str) -> EditionRecord | None:
        """None when there is no such book or when it is not published yet. Raises DatabaseAway."""
        asked = self._asked.get((library, book_id))
        if asked is None:
            asked = self._asked[library, book_id] = asyncio.get_running_loop().create_future()
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(asked)  # others wait for the same, whoever of them leaves

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
