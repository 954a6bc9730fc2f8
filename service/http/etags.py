"""ETags: a hash of everything a response depends on, and the check whether the client already has it."""

from __future__ import annotations

import hashlib
from typing import Final

from fastapi import Request
from fastapi.responses import Response

from service.services import Services

_SHAPE: Final = "12"
"""Part of every ETag. Increment it when the structure of responses changes, or what they may tell."""
PRIVATE: Final = "private, no-cache"
"""Only the cache of the client may store a response, and it must revalidate it with the ETag."""


class NotModified(Exception):
    """The client already has this response."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


async def not_modified(_: Request, error: Exception) -> Response:
    return unchanged(error.etag if isinstance(error, NotModified) else "")


def unchanged(etag: str) -> Response:
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": PRIVATE})


def question(
    request: Request, services: Services, *, book_id: str, version: str, decisions: int
) -> tuple[str, ...]:
    """Parts of the ETag: the published version, the decisions, the request and the engines."""
    settings, writer = services.settings, services.engines.default
    engines = (
        settings.resolver,
        settings.retriever,
        f"{writer.name} {writer.url} {writer.model}",
        settings.extractor,
        settings.judge,
        settings.embedder,
        settings.bm25.value,
    )
    sizes = (str(settings.passages), str(settings.token_budget))
    asked = (request.scope["path"], request.scope["query_string"].decode("latin-1"))
    return (_SHAPE, book_id, version, str(decisions), *engines, *sizes, *asked)


def weak(*parts: str | bytes) -> str:
    """A weak ETag, because the same response may be compressed or not."""
    whole = b"".join((part.encode() if isinstance(part, str) else part) + b"\0" for part in parts)
    return f'W/"{hashlib.sha256(whole).hexdigest()[:32]}"'


def has(request: Request, etag: str) -> bool:
    """Weak comparison (RFC 9110): the strength of a tag does not matter, and `*` is any."""
    given = request.headers.get("if-none-match")
    if not given:
        return False
    found = {tag.strip() for tag in given.split(",")}
    return "*" in found or etag in found or etag.removeprefix("W/") in found
