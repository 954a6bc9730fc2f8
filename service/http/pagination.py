"""Cursors: opaque to callers, and only ever what this service made.

A cursor holds the position after which the next page begins. It is base64 of plain text with a check sum,
so that a mangled one is refused rather than read as some other place.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from fastapi import Query

from service.http.errors import CursorInvalid

T = TypeVar("T")

Limit = Annotated[int, Query(ge=1, le=200, description="How many entries a page holds at most.")]
Cursor = Annotated[str | None, Query(max_length=512, description="The `next` value of the page before.")]


def encode(position: str) -> str:
    raw = position.encode("utf-8")
    return base64.urlsafe_b64encode(zlib.crc32(raw).to_bytes(4, "big") + raw).decode("ascii").rstrip("=")


def decode(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        if len(raw) < 5 or zlib.crc32(raw[4:]).to_bytes(4, "big") != raw[:4]:
            raise CursorInvalid("This cursor was not made by the service.")
        return raw[4:].decode("utf-8")
    except (binascii.Error, ValueError) as error:
        raise CursorInvalid("This cursor was not made by the service.") from error


def decode_number(cursor: str | None) -> int:
    """For lists whose position is a count; 0 at the beginning."""
    position = decode(cursor)
    if position is None:
        return 0
    if not position.isascii() or not position.isdigit() or len(position) > 12:
        raise CursorInvalid("This cursor belongs to another list.")
    return int(position)


def page(rows: Sequence[T], *, limit: int, position: Callable[[T], str]) -> tuple[Sequence[T], str | None]:
    """Given up to `limit + 1` rows: the rows of this page, and the cursor of the next one if there is one."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], encode(position(rows[limit - 1]))


def part(rows: Sequence[T], *, start: int, limit: int) -> tuple[Sequence[T], str | None]:
    """Of a list that is whole in memory: the rows from `start` on, and the cursor of what follows them."""
    end = start + limit
    return rows[start:end], encode(str(end)) if end < len(rows) else None
