"""Middleware for every request, as plain ASGI so that streams are not buffered."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from db.identity import BOOK, id_pattern
from service.http import errors as edge
from service.http import problems
from service.observability import context, logs, metrics, slowest

log = logs.logger("bookworm.http")
_IDS: Final = {"book": re.compile(id_pattern(BOOK)), "job": re.compile(id_pattern("job"))}

CSP: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class RequestContext:
    """The outermost middleware: request id, log line, timing and headers. It hides internal errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = context.begin(Headers(scope=scope).get("x-request-id"))
        seen = {"status": 0}

        async def stamped(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen["status"] = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, stamped)
        except Exception as error:
            log.error("unhandled", exc_info=error)
            if seen["status"]:
                # A part of the response was sent, so the connection must be closed to signal the error.
                raise ConnectionAbortedError("the response was interrupted; see the log") from None
            await problems.respond(edge.InternalError("An internal error occurred."))(scope, receive, stamped)
        finally:
            _record(scope, status=seen["status"], seconds=time.perf_counter() - started)


def _record(scope: Scope, *, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", None) or "(none)"
    method = scope["method"] if scope["method"] in metrics.METHODS else "OTHER"
    metrics.REQUEST_SECONDS.labels(route=route, method=method, status=str(status)).observe(seconds)
    if not route.endswith("/events"):  # event streams last as long as the client is connected
        slowest.record(
            route=route,
            method=method,
            status=status,
            seconds=seconds,
            request_id=context.request_id(),
            key_id=context.notes().get("key_id"),
        )
    about = _asked_about(scope) | context.notes()
    log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1), **about)


def _asked_about(scope: Scope) -> dict[str, str]:
    """Return the ids of the book and of the job in the address, and nothing else that is written there."""
    given = scope.get("path_params", {})
    return {
        what: given[f"{what}_id"]
        for what, pattern in _IDS.items()
        if pattern.fullmatch(str(given.get(f"{what}_id")))
    }


class HeadAsGet:
    """Answers `HEAD` like `GET`, without the body. What would go on for longer ends when it has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        begun = False

        async def received() -> Message:
            return {"type": "http.disconnect"} if begun else await receive()

        async def headed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body"})
                begun = True

        await self._app({**scope, "method": "GET"}, received, headed)


class AddressLimit:
    """Rejects very long URLs, before the lower-level limit of the server applies."""

    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
            if size > self._limit:
                error = edge.AddressTooLong(f"The URL has {size:,} characters. The limit is {self._limit:,}.")
                await problems.respond(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class BodyLimit:
    """Limits a body while it is read, whatever its `Content-Length`, and rejects one that stalls."""

    def __init__(self, app: ASGIApp, *, limit_for: Callable[[Scope], int], stall_seconds: float) -> None:
        self._app = app
        self._limit_for = limit_for
        self._stall = stall_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit_for(scope)
        declared = Headers(scope=scope).get("content-length", "0")
        if declared.isdigit() and int(declared) > limit:
            await problems.respond(_too_large(limit))(scope, receive, send)
            return
        await self._app(scope, _Counted(receive, limit=limit, stall=self._stall), send)


class _Counted:
    def __init__(self, receive: Receive, *, limit: int, stall: float) -> None:
        self._receive = receive
        self._left = limit
        self._limit = limit
        self._stall = stall
        self._ended = False

    async def __call__(self) -> Message:
        if self._ended:
            return await self._receive()
        message = await self._in_time()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._left < 0:
                raise problems.Refused(_too_large(self._limit))
        return message

    async def _in_time(self) -> Message:
        try:
            return await asyncio.wait_for(self._receive(), self._stall)
        except TimeoutError as error:
            raise problems.Refused(edge.BodyStalled("The body of the request stopped arriving.")) from error


def _too_large(limit: int) -> edge.BodyTooLarge:
    return edge.BodyTooLarge(f"The body is larger than the limit of {limit:,} bytes.")


class Deadline:
    """A response must start in time. The duration of a stream is not limited."""

    def __init__(self, app: ASGIApp, *, seconds_for: Callable[[Scope], float | None]) -> None:
        self._app = app
        self._seconds_for = seconds_for

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds_for(scope)) as deadline:

                async def begun(message: Message) -> None:
                    if message["type"] == "http.response.start":
                        if deadline.expired():  # a task of the response is faster than its own end
                            raise asyncio.CancelledError
                        deadline.reschedule(None)
                    await send(message)

                await self._app(scope, receive, begun)
        except TimeoutError:
            if not deadline.expired():
                raise
            await problems.respond(edge.TookTooLong("The request timed out."))(scope, receive, send)


_UPLOAD: Final = re.compile(r"(?:/v1)?/books/?")
_WRITING: Final = re.compile(
    r"(?:/v1)?(?:(?:/books/[^/]+)?/characters/[^/]+/(?:description|analysis)"
    r"|/books/[^/]+/(?:descriptions|check|summary|recap|questions|chapters/[^/]+/summary|quiz/corrections)"
    r"|/questions|/operations/model/try)/?"
)


def is_upload(scope: Scope) -> bool:
    return scope["method"] == "POST" and _UPLOAD.fullmatch(scope["path"]) is not None


def is_writing(scope: Scope) -> bool:
    """Whether the request may wait for a language model, which writes, checks a text or is tried."""
    return _WRITING.fullmatch(scope["path"]) is not None
