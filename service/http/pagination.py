"""Cursors for pagination, which are opaque to clients.

A cursor contains the position after which the next page starts. It is base64 of plain text with a checksum,
so that a damaged one is rejected and not misread.
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

Limit = Annotated[int, Query(ge=1, le=200, description="Maximum number of entries per page.")]
Cursor = Annotated[str | None, Query(max_length=512, description="The `next` value of the previous page.")]


def encode(position: str) -> str:
    raw = position.encode("utf-8")
    return base64.urlsafe_b64encode(zlib.crc32(raw).to_bytes(4, "big") + raw).decode("ascii").rstrip("=")


def decode(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        if len(raw) < 5 or zlib.crc32(raw[4:]).to_bytes(4, "big") != raw[:4]:
            raise CursorInvalid("The cursor is invalid.")
        return raw[4:].decode("utf-8")
    except (binascii.Error, ValueError) as error:
        raise CursorInvalid("The cursor is invalid.") from error


def decode_number(cursor: str | None) -> int:
    """Decodes the cursor of a list whose position is a count; 0 for the first page."""
    position = decode(cursor)
    if position is None:
        return 0
    if not position.isascii() or not position.isdigit() or len(position) > 12:
        raise CursorInvalid("The cursor belongs to another list.")
    return int(position)


def page(rows: Sequence[T], *, limit: int, position: Callable[[T], str]) -> tuple[Sequence[T], str | None]:
    """Splits up to `limit + 1` rows into the rows of this page and the cursor of the next page, if any."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], encode(position(rows[limit - 1]))


def part(rows: Sequence[T], *, start: int, limit: int) -> tuple[Sequence[T], str | None]:
    """The page of an in-memory list that starts at `start`, and the cursor of the next page, if any."""
    end = start + limit
    return rows[start:end], encode(str(end)) if end < len(rows) else None
