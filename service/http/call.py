"""The context of a request: caller, services, and responses (ETag, 304, JSON)."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from service.access import Principal
from service.http.access import Admin, Reader, Writer
from service.http.answer_cache import Answers
from service.services import Services
from service.shelf import View
from service.usecases import characters

_SHAPE: Final = "7"
"""Part of every ETag. Increment it when the structure of responses changes."""
_PRIVATE: Final = "private, no-cache"
"""Only the cache of the client may store a response, and it must revalidate it with the ETag."""


class NotModified(Exception):
    """The client already has this response."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


async def not_modified(_: Request, error: Exception) -> Response:
    etag = error.etag if isinstance(error, NotModified) else ""
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": _PRIVATE})


class Call:
    def __init__(self, request: Request, principal: Principal) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.principal = principal
        self.library = principal.library
        self.by = principal.key_name
        """Name of the key of the caller; None if no key is needed."""
        self._etag: str | None = None
        self._answers: Answers = request.app.state.answers

    def view(self, book_id: str, upto: str | None) -> View:
        """The book up to `upto`. Ends the request with 304 if the client already has the response."""
        view = characters.open_view(self.services, library=self.library, book_id=book_id, upto=upto)
        self._offer(_weak(*self._question(view)))
        return view

    def kept(self, view: View, *, remarks: int) -> Response | None:
        """The cached response, if there is one. Ends the request with 304 if the client already has it.

        `remarks` is the number of changes by readers that affect the evaluation of answers.
        """
        body = self._answers.get(view.record.id, (*self._question(view), str(remarks)))
        return None if body is None else self.whole(body)

    def keep(self, view: View, body: bytes, *, remarks: int) -> None:
        self._answers.put(view.record.id, (*self._question(view), str(remarks)), body)

    def forget(self, view: View) -> None:
        """Removes all cached answers about a book, because one of them was generated again."""
        self._answers.forget(view.record.id)

    def whole(self, body: bytes) -> Response:
        """A response with a serialized body, whose hash is the ETag."""
        self._offer(_weak(body))
        return Response(body, headers=self.headers, media_type="application/json")

    def reply(self, body: BaseModel, *, status: int = 200, location: str | None = None) -> Response:
        """A response with the model as JSON. The model is trusted and not validated again."""
        said = body.model_dump_json().encode()
        if self._etag is None and self.request.method == "GET":
            self._offer(_weak(said))
        headers = self.headers
        if location:
            headers["Location"] = location
        return Response(said, status, headers=headers, media_type="application/json")

    @property
    def headers(self) -> dict[str, str]:
        headers = {"Cache-Control": _PRIVATE}
        if self._etag:
            headers["ETag"] = self._etag
        return headers

    def _offer(self, etag: str) -> None:
        self._etag = etag
        if etag in _tags(self.request.headers.get("if-none-match", "")):
            raise NotModified(etag)

    def _question(self, view: View) -> tuple[str, ...]:
        """Parts of the ETag: the published version, the decisions, the request and the engines."""
        settings = self.services.settings
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
        edition = (_SHAPE, view.record.id, view.record.version or "", str(view.decisions))
        return (*edition, *engines, *sizes, self.request.url.path, self.request.url.query)


def _weak(*parts: str | bytes) -> str:
    """A weak ETag, because the same response may be compressed or not."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return f'W/"{digest.hexdigest()[:32]}"'


def _tags(header: str) -> set[str]:
    """Weak comparison (RFC 9110): the strength of a tag does not matter."""
    found = {tag.strip() for tag in header.split(",")}
    return found | {f"W/{tag}" for tag in found if tag.startswith('"')}


async def _reading(request: Request, principal: Reader) -> Call:
    return Call(request, principal)


async def _writing(request: Request, principal: Writer) -> Call:
    return Call(request, principal)


async def _managing(request: Request, principal: Admin) -> Call:
    return Call(request, principal)


ReadCall = Annotated[Call, Depends(_reading)]
WriteCall = Annotated[Call, Depends(_writing)]
AdminCall = Annotated[Call, Depends(_managing)]
