"""ETags: what an answer depends on, hashed; and whether a caller has the answer already."""

from __future__ import annotations

import hashlib
from typing import Final

from fastapi import Request
from fastapi.responses import Response

from service.settings import Settings

_SHAPE: Final = "7"
"""Goes into every ETag: raise it when answers change their shape."""
PRIVATE: Final = "private, no-cache"
"""Only the caller's own cache may keep an answer, and it asks with the ETag before it shows it again."""


class NotModified(Exception):
    """The caller has this answer already."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


async def not_modified(_: Request, error: Exception) -> Response:
    return unchanged(error.etag if isinstance(error, NotModified) else "")


def unchanged(etag: str) -> Response:
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": PRIVATE})


def question(
    request: Request, settings: Settings, *, book_id: str, version: str, decisions: int
) -> tuple[str, ...]:
    """Changes with the published version, the readers' decisions, the question and the engines."""
    engines = (
        settings.resolver,
        settings.retriever,
        settings.generator,
        settings.extractor,
        settings.judge,
        settings.embedder,
        settings.bm25.value,
    )
    sizes = (str(settings.passages), str(settings.token_budget))
    asked = (request.scope["path"], request.scope["query_string"].decode("latin-1"))
    return (_SHAPE, book_id, version, str(decisions), *engines, *sizes, *asked)


def weak(*parts: str | bytes) -> str:
    """Weak, because the same answer may go out zipped or not."""
    whole = b"".join((part.encode() if isinstance(part, str) else part) + b"\0" for part in parts)
    return f'W/"{hashlib.sha256(whole).hexdigest()[:32]}"'


def has(request: Request, etag: str) -> bool:
    """Weak comparison (RFC 9110): the strength of a tag does not matter."""
    given = request.headers.get("if-none-match")
    if not given:
        return False
    found = {tag.strip() for tag in given.split(",")}
    return etag in found or etag.removeprefix("W/") in found
