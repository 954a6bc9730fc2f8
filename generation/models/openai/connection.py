"""One connection that can be cut by a timeout, or when nobody waits for its answer any more.

A thread that waits for a silent or a very slow server can't be woken by closing its response elsewhere.
Shutting down the socket below does wake it, at once, and tells the server that nobody listens.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from ssl import SSLContext
from typing import Any

import httpx2
from openai import OpenAI

from generation.models.openai.address import Address

CONNECT_SECONDS = 10.0
SENT = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
    | {"x-stainless-raw-response"}  # by which the client recognises its own request
)
"""The headers that leave this machine. The client would add some from the environment."""


class CutReason(Enum):
    LATE = "late"
    GONE = "gone"


class CuttableConnection:
    """A connection to cut. Pass its `trace` to a request to connect the two."""

    def __init__(self, seconds: float) -> None:
        self.why: CutReason | None = None
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self.cut, [CutReason.LATE])
        self._timer.daemon = True

    def __enter__(self) -> CuttableConnection:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._socket = None

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        stream = info.get("return_value")
        if not event.endswith((".connect_tcp.complete", ".start_tls.complete")) or stream is None:
            return
        found = stream.get_extra_info("socket")
        with self._lock:
            self._socket = found if isinstance(found, socket.socket) else None
            if self.why:
                self._shut()

    def cut(self, why: CutReason) -> None:
        with self._lock:
            self.why = self.why or why
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            # The plain method: that of a TLS socket would break the thread that reads.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


@cache
def trust() -> SSLContext:
    """Return the TLS context. Reading the certificates takes 60 ms."""
    return httpx2.create_ssl_context()


class ConnectionFactory:
    """Makes the HTTP clients for the server, each with a connection of its own."""

    def __init__(self, address: Address, *, timeout: float) -> None:
        self.address = address
        self.timeout = timeout

    @contextlib.contextmanager
    def client(self, wire: CuttableConnection, *, silence: float | None = None) -> Iterator[OpenAI]:
        """Yield a client. The server may send nothing for `silence` seconds, or the usual number."""
        with self._http(wire, silence or self.timeout) as http:
            yield OpenAI(
                api_key="unused",  # else it takes one from the environment; `_dress` sets ours
                base_url=self.address.base,
                http_client=http,
                timeout=http.timeout,
                max_retries=0,
                default_query=dict(self.address.query),
            )

    @contextlib.contextmanager
    def plain(self, wire: CuttableConnection, *, silence: float) -> Iterator[httpx2.Client]:
        """Yield a plain HTTP client for paths that are not OpenAI's."""
        with self._http(wire, silence) as http:
            http.params = httpx2.QueryParams(dict(self.address.query))
            yield http

    def _http(self, wire: CuttableConnection, silence: float) -> httpx2.Client:
        return httpx2.Client(
            verify=trust(),
            timeout=httpx2.Timeout(silence, connect=min(silence, CONNECT_SECONDS)),
            follow_redirects=False,  # another host must get neither the key nor the book
            trust_env=not self.address.local,
            event_hooks={"request": [self._dress(wire.trace)]},
        )

    def _dress(self, trace: Callable[[str, Mapping[str, Any]], None]) -> Callable[[httpx2.Request], None]:
        def hook(request: httpx2.Request) -> None:
            request.extensions = {**request.extensions, "trace": trace}
            for name in [n for n in request.headers if n.lower() not in SENT]:
                del request.headers[name]
            if self.address.authorization:
                request.headers["Authorization"] = self.address.authorization

        return hook
