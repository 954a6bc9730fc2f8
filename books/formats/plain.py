"""Plain text: decoded, and nothing else changed."""

from __future__ import annotations

from books.encodings import decode
from books.limits import Limits
from books.source import Source


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:  # noqa: ARG001 - nothing grows here
    decoded = decode(data, order=encoding)
    return Source(
        text=decoded.text,
        format="text",
        encoding=decoded.encoding,
        encoding_by=decoded.by,
        warnings=decoded.warnings,
    )
