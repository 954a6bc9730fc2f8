"""Answers repeated requests before routing, if the edition of the book is still the same.

Routing a request, validating its parameters and opening the book take most of the time of a stored answer. A
URL that was answered once has passed all that. Permissions and the current edition are checked every time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Request
from fastapi.responses import Response
from starlette.datastructures import State
from starlette.types import ASGIApp, Receive, Scope, Send

from books.errors import BookwormError
from db.types import Scope as Right
from service.http import etags, problems
from service.http.access import admit
from service.http.answer_cache import Answers
from service.http.editions import Editions

_MOST: Final = 4096
"""Maximum number of URLs that are remembered."""
_Address = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Known:
    """A URL that was answered."""

    route: Any
    book_id: str
    kept: bool
    """Whether its answers are cached. For others only the ETag is known."""


class Addresses:
    """The URLs that were answered by this process, without the answers."""

    def __init__(self) -> None:
        self._known: dict[_Address, Known] = {}

    def remember(self, scope: Scope, *, book_id: str, kept: bool) -> None:
        """Remembers a URL with the id of the book. Without an id, the URL may later mean another book."""
        if scope["method"] != "GET" or scope["path_params"].get("book_id") != book_id:
            return
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[_address(scope)] = Known(scope["route"], book_id, kept)

    def known(self, request: Request) -> Known | None:
        """Returns what is known about the URL, if the request can be answered with it."""
        found = self._known.get(_address(request.scope))
        if found is None or request.method != "GET":
            return None
        return found if found.kept or "if-none-match" in request.headers else None


def _address(scope: Scope) -> _Address:
    return scope["path"], scope["query_string"]


class Repeats:
    """Middleware for repeated requests. `zip_answer` compresses responses like the inner middleware does."""

    def __init__(self, app: ASGIApp, *, state: State, zip_answer: Callable[[ASGIApp], ASGIApp]) -> None:
        self._app = app
        self._state = state
        self._zip = zip_answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(Request(scope)) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    async def _answer(self, request: Request) -> ASGIApp | None:
        """Returns None if the route must handle the request or report an error."""
        addresses: Addresses = self._state.addresses
        known = addresses.known(request)
        if known is None:
            return None
        try:
            answer = await self._repeated(request, known)
        except BookwormError as error:
            answer = problems.respond(error)
        if answer is not None:
            request.scope["route"] = known.route
        return answer

    async def _repeated(self, request: Request, known: Known) -> ASGIApp | None:
        principal = await admit(request)
        if Right.READ not in principal.scopes:
            return None
        editions: Editions = self._state.editions
        edition = await editions.current(known.book_id, library=principal.library)
        if edition is None:
            return None
        question = etags.question(
            request,
            self._state.services,
            book_id=known.book_id,
            version=edition.version,
            decisions=edition.decisions,
        )
        body = None
        if known.kept:
            answers: Answers = self._state.answers
            body = answers.get(known.book_id, (*question, str(edition.remarks)))
            if body is None:
                return None
        etag = etags.weak(*question) if body is None else etags.weak(body)
        if etags.has(request, etag):
            return etags.unchanged(etag)
        if body is None:
            return None
        headers = {"Cache-Control": etags.PRIVATE, "ETag": etag}
        return self._zip(Response(body, headers=headers, media_type="application/json"))
