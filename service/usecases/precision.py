"""Precision of answers by day and generator: the share of facts supported when they were first judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from db.repositories import CountRepository
from db.types import AnswerCounts
from service.library import Library

DAYS_MOST: Final = 366
_ROWS_MOST: Final = 5000


@dataclass(frozen=True, slots=True)
class History:
    since: date
    until: date
    """Today, in UTC."""
    days: tuple[AnswerCounts, ...]


def history(library: Library, *, days: int) -> History:
    """The last `days` days including today. Days without answers have no entry."""
    until = datetime.now(UTC).date()
    since = until - timedelta(days=days - 1)
    with library.services.database.session(read_only=True) as session:
        found = CountRepository(session).since(since, library=library.name, limit=_ROWS_MOST)
    return History(since, until, tuple(found))
