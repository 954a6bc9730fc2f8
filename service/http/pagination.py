"""Cursors for pagination, which are opaque to clients.

A cursor contains the position after which the next page starts. It is base64 of plain text with a checksum
of this and of the list, so that a cursor that is damaged or of another list is rejected and not misread.
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


def encode(position: str, *, of: str) -> str:
    """The cursor for a position in the list that `of` identifies."""
    raw = position.encode("utf-8")
    return base64.urlsafe_b64encode(_checksum(raw, of) + raw).decode("ascii").rstrip("=")


def _checksum(raw: bytes, of: str) -> bytes:
    return zlib.crc32(raw, zlib.crc32(of.encode("utf-8"))).to_bytes(4, "big")


def decode(cursor: str | None, *, of: str) -> str | None:
    if cursor is None:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        if len(raw) < 5 or _checksum(raw[4:], of) != raw[:4]:
            raise CursorInvalid("The cursor is invalid, or belongs to another list.")
        return raw[4:].decode("utf-8")
    except (binascii.Error, ValueError) as error:
        raise CursorInvalid("The cursor is invalid.") from error


def decode_number(cursor: str | None, *, of: str) -> int:
    """Decodes the cursor of a list whose position is a count; 0 for the first page."""
    position = decode(cursor, of=of)
    if position is None:
        return 0
    if not position.isascii() or not position.isdigit() or len(position) > 12:
        raise CursorInvalid("The cursor belongs to another list.")
    return int(position)


def next_number(end: int, *, more: bool, of: str) -> str | None:
    """The cursor of the page after the one that ends at `end`, in a list whose position is a count."""
    return encode(str(end), of=of) if more else None


def page(
    rows: Sequence[T], *, limit: int, position: Callable[[T], str], of: str
) -> tuple[Sequence[T], str | None]:
    """Splits up to `limit + 1` rows into the rows of this page and the cursor of the next page, if any."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], encode(position(rows[limit - 1]), of=of)


def part(rows: Sequence[T], *, start: int, limit: int, of: str) -> tuple[Sequence[T], str | None]:
    """The page of an in-memory list that starts at `start`, and the cursor of the next page, if any."""
    end = start + limit
    return rows[start:end], next_number(end, more=end < len(rows), of=of)
