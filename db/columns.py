"""Column types that behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that a PostgreSQL text cannot hold."""


class PlainText(TypeDecorator[str]):
    """Text in which characters that one of the databases cannot hold are stored, and looked up, as U+FFFD.

    It sorts by code point: SQLite does so by default, and on PostgreSQL the migrations set COLLATE "C".
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        del dialect
        return value if value is None else UNSTORABLE.sub("\ufffd", value)


class Moment(TypeDecorator[datetime]):
    """A point in time: aware in Python, always UTC, even if the database stores no time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    return datetime.now(UTC)
