"""Authentication as a dependency, and the protection of open mode."""

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

_bearer = HTTPBearer(auto_error=False, description="An API key. Not needed until the first key is created.")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key in another header.")

_ADMITTED: Final = "bookworm.principal"
"""Where the scope of a request keeps who calls."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_TEST_NAMES: Final = frozenset({"testserver", "testclient"})
_OF_PROXIES: Final = frozenset({"forwarded", "via", "x-real-ip"})
"""Headers that proxies add, besides those that begin with `x-forwarded-`."""
_PROBES: Final = frozenset({"/livez", "/readyz"})


class Require:
    """A dependency that requires a scope."""

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
        request.scope[problems.CANDID] = Scope.ADMIN in principal.scopes
        if self._scope not in principal.scopes:
            raise ScopeMissing(f"This requires the scope `{self._scope}`, which the key does not have.")
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
    """Until a key exists, requests must use a loopback address and host name, and not come from another site.

    Without this, any web page that the user visits could access the library: with a form that posts to
    127.0.0.1, or with a host name that resolves to it. So could anybody whom a proxy on this machine serves.
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
            return True  # The database is unavailable: apply the rules for open mode.


def _objection(scope: AsgiScope) -> BookwormError | None:
    headers = Headers(scope=scope)
    listening = (scope.get("server") or (None, None))[0]
    if listening and not listening.startswith("/") and not _local(listening):
        return ExposureRefused("The service listens on an address other than loopback without an API key.")
    client, _ = scope.get("client") or (None, None)
    if (client and not _local(client)) or _from_proxy(headers):
        return ExposureRefused(
            "Without API keys, the service accepts no requests from proxies or other machines.",
            remedy="Create a key with `bookworm keys create`.",
        )
    host = _hostname(headers.get("host", ""))
    if not _local(host):
        return edge.HostRefused("Without API keys, the service accepts only loopback host names.")
    if _foreign(headers) if scope["method"] not in _SAFE else _embedded(headers):
        return edge.OriginRefused("Without API keys, the service accepts no requests from other web sites.")
    return None


def _from_proxy(headers: Headers) -> bool:
    return any(name in _OF_PROXIES or name.startswith("x-forwarded-") for name in headers)


def _embedded(headers: Headers) -> bool:
    """Whether a page of another site makes the browser send the request. Following a link is allowed."""
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
    return host in _TEST_NAMES or is_loopback(host)
