"""Who calls, as a dependency; and the guard around open mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from books.errors import BookwormError
from db.types import Scope
from service.access import ExposureRefused, Gate, Principal, ScopeMissing, is_loopback
from service.http import errors as edge
from service.http import problems
from service.observability import context

_bearer = HTTPBearer(auto_error=False, description="An API key. Not needed on loopback while there is none.")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key in a header of its own.")

_ADMITTED: Final = "bookworm.principal"
"""Where the scope of a request keeps who calls."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_TEST_HOST: Final = "testserver"
_PROBES: Final = frozenset({"/livez", "/readyz"})


class Require:
    """A dependency that lets in callers who hold a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def __call__(
        self,
        request: Request,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
        header: Annotated[str | None, Depends(_header)],
    ) -> Principal:
        admitted: Principal | None = request.scope.get(_ADMITTED)
        principal = admitted or await _admit(request, bearer, header)
        if self._scope not in principal.scopes:
            raise ScopeMissing(f"This needs the scope `{self._scope}`, which the key does not have.")
        return principal


Reader = Annotated[Principal, Depends(Require(Scope.READ))]
Writer = Annotated[Principal, Depends(Require(Scope.WRITE))]
Admin = Annotated[Principal, Depends(Require(Scope.ADMIN))]


async def admit(request: Request) -> Principal:
    """Who calls, before the request has a route; `Require` believes it, so that the key is charged once."""
    principal = await _admit(request, await _bearer(request), await _header(request))
    request.scope[_ADMITTED] = principal
    return principal


async def _admit(
    request: Request, bearer: HTTPAuthorizationCredentials | None, header: str | None
) -> Principal:
    gate: Gate = request.app.state.gate
    secret = bearer.credentials if bearer else header
    principal = gate.authenticate_from_memory(secret)
    if principal is None:
        principal = await to_thread.run_sync(gate.authenticate, secret)
    if principal.key_id:
        context.note(key_id=principal.key_id)
    return principal


class OpenModeGuard:
    """While no key exists, a request must come by loopback, to a loopback name, and not from a foreign page.

    Without this, any web page that the reader visits could reach the library: by a form that posts to
    127.0.0.1, or by a name of its own that it lets point there.
    """

    def __init__(self, app: ASGIApp, *, gate_of: Callable[[], Gate]) -> None:
        self._app = app
        self._gate_of = gate_of

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in _PROBES and await self._open():
            error = _objection(scope)
            if error is not None:
                await problems.respond(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _open(self) -> bool:
        gate = self._gate_of()
        believed = gate.believed_open()
        if believed is not None:
            return believed
        try:
            return await to_thread.run_sync(gate.is_open)
        except BookwormError:
            return True  # The database is away: be as careful as if it were open.


def _objection(scope: AsgiScope) -> BookwormError | None:
    headers = Headers(scope=scope)
    listening = (scope.get("server") or (None, None))[0]
    if listening and not listening.startswith("/") and not _local(listening):
        return ExposureRefused("The service listens beyond loopback with no key to guard it.")
    host = _hostname(headers.get("host", ""))
    if not _local(host):
        return edge.HostRefused("Without keys, the service answers only to loopback names.")
    if _foreign(headers) if scope["method"] not in _SAFE else _embedded(headers):
        return edge.OriginRefused("Without keys, the service takes nothing from other web sites' pages.")
    return None


def _embedded(headers: Headers) -> bool:
    """A foreign page that makes the reader's browser fetch something; following a link is fine."""
    foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    return foreign and headers.get("sec-fetch-mode") != "navigate"


def _foreign(headers: Headers) -> bool:
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _local(host: str) -> bool:
    return host == _TEST_HOST or is_loopback(host)
