"""One call in hand: who calls, the services, and how its answer goes out (ETag, 304, JSON)."""

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
"""Goes into every ETag: raise it when answers change their shape."""
_PRIVATE: Final = "private, no-cache"
"""Only the caller's own cache may keep an answer, and it asks with the ETag before it shows it again."""


class NotModified(Exception):
    """The caller has this answer already."""

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
        """Who calls, by the name of the key; None where no key is needed."""
        self._etag: str | None = None
        self._answers: Answers = request.app.state.answers

    def view(self, book_id: str, upto: str | None) -> View:
        """The book as far as the gate; ends the call with 304 when the caller has the answer already."""
        view = characters.open_view(self.services, library=self.library, book_id=book_id, upto=upto)
        self._offer(_weak(*self._question(view)))
        return view

    def kept(self, view: View, *, remarks: int) -> Response | None:
        """The answer to this question as it once went out; ends the call with 304 if the caller has it.

        `remarks` counts what readers have changed that answers are measured by.
        """
        body = self._answers.get(view.record.id, (*self._question(view), str(remarks)))
        return None if body is None else self.whole(body)

    def keep(self, view: View, body: bytes, *, remarks: int) -> None:
        self._answers.put(view.record.id, (*self._question(view), str(remarks)), body)

    def forget(self, view: View) -> None:
        """All that was answered about a book: one of its answers was made anew."""
        self._answers.forget(view.record.id)

    def whole(self, body: bytes) -> Response:
        """An answer that was made already; the ETag is that of its text."""
        self._offer(_weak(body))
        return Response(body, headers=self.headers, media_type="application/json")

    def reply(self, body: BaseModel, *, status: int = 200, location: str | None = None) -> Response:
        """The model as JSON, as it is: built by us, so it needs no second validation."""
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
        """Changes with the published version, the readers' decisions, the question and the engines."""
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
    """Weak, because the same answer may go out zipped or not."""
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
