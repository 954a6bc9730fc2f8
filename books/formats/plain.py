"""Plain text: decoded, with the words whole that its lines break."""

from __future__ import annotations

from books.encodings import decode
from books.formats.broken_words import joined
from books.limits import Limits
from books.source import Source


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:  # noqa: ARG001 - nothing grows here
    decoded = decode(data, order=encoding)
    return Source(
        text=joined(decoded.text),
        format="text",
        encoding=decoded.encoding,
        encoding_by=decoded.by,
        warnings=decoded.warnings,
    )
