"""The context of a request: caller, services, and responses (ETag, 304, JSON)."""

from __future__ import annotations

from typing import Annotated

from anyio import CapacityLimiter
from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from db.types import JobRecord, Scope
from service.access import Principal
from service.http import etags
from service.http.access import Admin, Reader, Writer
from service.http.answer_cache import Answers
from service.http.etags import NotModified
from service.http.parameters import refuse_strays
from service.http.repeats import Addresses
from service.http.sse import Streams
from service.library import Library
from service.services import Services
from service.shelf import View
from service.wire.jobs import JobOut


class Call:
    def __init__(self, request: Request, principal: Principal) -> None:
        refuse_strays(request)
        self.request = request
        self.services: Services = request.app.state.services
        self.principal = principal
        self.library = Library(self.services, principal.library)
        self.administers = Scope.ADMIN in principal.scopes
        self.by = principal.key_name
        """Name of the key of the caller; None if no key is needed."""
        self.writers: CapacityLimiter = request.app.state.writers
        """Threads for what a language model may be asked for, so that no other request waits for it."""
        self.streams: Streams = request.app.state.streams
        self._etag: str | None = None
        self._answers: Answers = request.app.state.answers
        self._addresses: Addresses = request.app.state.addresses

    @property
    def list_id(self) -> str:
        """What tells the list that is requested from others: path and filters, whichever page.

        `offset` is another way to choose a page.
        """
        asked = self.request.query_params.multi_items()
        filters = sorted((name, value) for name, value in asked if name not in ("cursor", "limit", "offset"))
        return repr((self.request.url.path.removeprefix("/v1"), filters))

    def view(self, book_id: str, upto: str | None) -> View:
        """The book up to `upto`. Ends the request with 304 if the client already has the response."""
        view = self.library.view(book_id, upto)
        self._addresses.remember(self.request.scope, book_id=book_id, kept=False)
        self._offer(etags.weak(*self._question(view)))
        return view

    def kept(self, view: View, *, remarks: int) -> Response | None:
        """The cached response, if there is one. Ends the request with 304 if the client already has it.

        `remarks` is the number of changes by readers that affect the evaluation of answers.
        """
        self._addresses.remember(self.request.scope, book_id=view.record.id, kept=True)
        body = self._answers.get(view.record.id, (*self._question(view), str(remarks)))
        return None if body is None else self.whole(body)

    def keep(self, view: View, body: bytes, *, remarks: int) -> None:
        self._answers.put(view.record.id, (*self._question(view), str(remarks)), body)

    def forget(self, view: View) -> None:
        """Removes all cached answers about a book, because one of them was generated again."""
        self._answers.forget(view.record.id)

    def whole(self, body: bytes) -> Response:
        """A response with a serialized body, whose hash is the ETag."""
        self._offer(etags.weak(body))
        return Response(body, headers=self.headers, media_type="application/json")

    def reply(self, body: BaseModel, *, status: int = 200, location: str | None = None) -> Response:
        """A response with the model as JSON. The model is trusted and not validated again."""
        said = body.model_dump_json().encode()
        if self._etag is None and self.request.method == "GET":
            self._offer(etags.weak(said))
        headers = self.headers
        if location:
            headers["Location"] = location
        return Response(said, status, headers=headers, media_type="application/json")

    def ordered(self, job: JobRecord) -> Response:
        """A job that was ordered, with its address."""
        return self.reply(self.shown(job), status=202, location=f"/v1/jobs/{job.id}")

    def shown(self, job: JobRecord) -> JobOut:
        return JobOut.of(job, candid=self.administers)

    @property
    def headers(self) -> dict[str, str]:
        headers = {"Cache-Control": etags.PRIVATE}
        if self._etag:
            headers["ETag"] = self._etag
        return headers

    def _offer(self, etag: str) -> None:
        self._etag = etag
        if etags.has(self.request, etag):
            raise NotModified(etag)

    def _question(self, view: View) -> tuple[str, ...]:
        return etags.question(
            self.request,
            self.services,
            book_id=view.record.id,
            version=view.record.version or "",
            decisions=view.decisions,
        )


async def _reading(request: Request, principal: Reader) -> Call:
    return Call(request, principal)


async def _writing(request: Request, principal: Writer) -> Call:
    return Call(request, principal)


async def _managing(request: Request, principal: Admin) -> Call:
    return Call(request, principal)


ReadCall = Annotated[Call, Depends(_reading)]
WriteCall = Annotated[Call, Depends(_writing)]
AdminCall = Annotated[Call, Depends(_managing)]
