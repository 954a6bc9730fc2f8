"""A server of language models on loopback that behaves, or misbehaves, as a test says."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHAT = "/v1/chat/completions"
ANSWER = "Bess Farrow is brown, obliging and never late."


@dataclass
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Reply = Callable[["Handler", Seen], None]


@dataclass
class Fake:
    """`replies` by path: each call uses up the first one, and the last one stays."""

    url: str
    replies: dict[str, list[Reply]]
    seen: list[Seen] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    open: set[Handler] = field(default_factory=set)
    peak: int = 0
    """The most concurrent calls for an answer."""

    def asked(self, path: str = CHAT) -> list[Seen]:
        return [s for s in self.seen if s.path.split("?")[0] == path]

    def reply(self, *replies: Reply, path: str = CHAT) -> None:
        self.replies[path] = list(replies)

    def take(self, path: str) -> Reply | None:
        with self.lock:
            left = self.replies.get(path)
            return None if not left else left.pop(0) if len(left) > 1 else left[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: Fake

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        seen = Seen(self.command, self.path, dict(self.headers), json.loads(raw or b"{}"))
        reply = self.fake.take(self.path.split("?")[0])
        with self.fake.lock:
            self.fake.seen.append(seen)
            self.fake.open.add(self)
            self.fake.peak = max(self.fake.peak, len(self.fake.open))
        try:
            (reply or status(404, {"detail": "Not Found"}))(self, seen)
        except OSError:
            self.fake.hung_up.set()
            self.close_connection = True
        finally:
            self.ends()

    def ends(self) -> None:
        """Call it before the last byte: whoever has that may ask again before this thread goes on."""
        with self.fake.lock:
            self.fake.open.discard(self)

    def send(self, code: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.ends()
        self.wfile.write(body)

    def open_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()


@contextmanager
def serve(*, tls: ssl.SSLContext | None = None) -> Iterator[Fake]:
    handler = type("ItsHandler", (Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    scheme = "https" if tls else "http"
    fake = Fake(f"{scheme}://127.0.0.1:{server.server_address[1]}", {CHAT: [says()]})
    handler.fake = fake  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()


def says(
    text: str | None = ANSWER,
    *,
    finish: str | None = "stop",
    usage: bool = True,
    pause: float = 0.0,
    then: Callable[[Handler], None] | None = None,
) -> Reply:
    """Reply with the answer, word by word for a stream. `then` replaces a stream's proper end."""

    def reply(handler: Handler, seen: Seen) -> None:
        cost = {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49} if usage else None
        if not seen.body.get("stream"):
            time.sleep(pause)
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return status(200, {"id": "1", "choices": [choice], "usage": cost})(handler, seen)
        handler.open_stream()
        handler.event(chunk(role="assistant"))
        for at, word in enumerate((text or "").split(" ")):
            handler.event(chunk(content=f" {word}" if at else word))
            time.sleep(pause)
        if then:
            return then(handler)
        handler.ends()
        handler.event(chunk(finish=finish))
        if usage and seen.body.get("stream_options"):
            handler.event(json.dumps({"id": "1", "choices": [], "usage": cost}))
        return handler.event("[DONE]")

    return reply


def chunk(*, finish: str | None = None, **delta: str) -> str:
    return json.dumps({"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def status(code: int, body: Any, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _: handler.send(code, json.dumps(body).encode(), "application/json", named)


def error(code: int, message: str, **more: str) -> Reply:
    return status(code, {"error": {"message": message, "type": "some_error", "code": code}}, **more)


def raw(body: bytes, kind: str = "application/json") -> Reply:
    return lambda handler, _: handler.send(200, body, kind)


def events(*data: str) -> Reply:
    """Reply with a stream of exactly these events."""

    def reply(handler: Handler, _: Seen) -> None:
        handler.open_stream()
        for each in data:
            handler.event(each)

    return reply


def silent(handler: Handler, _: Seen) -> None:
    """Accept the request and send nothing until the caller hangs up."""
    with suppress(OSError):
        handler.connection.settimeout(20)
        if not handler.connection.recv(1):
            handler.fake.hung_up.set()
    handler.close_connection = True


def drip_headers(handler: Handler, _: Seen) -> None:
    """Send a byte now and then without end, so that no header is complete."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _n in range(400):
        handler.wfile.write(b"a")
        time.sleep(0.05)


def drip_body(handler: Handler, _: Seen) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _n in range(400):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def drip_events(handler: Handler, _: Seen) -> None:
    handler.open_stream()
    for _n in range(400):
        handler.event(chunk(content="so "))
        time.sleep(0.05)


def hang_up(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.close()


def cut_short(handler: Handler, _: Seen) -> None:
    """Announce more bytes than are sent."""
    body = b'{"choices": [{"message": {"content": "Bess'
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body) * 2))
    handler.end_headers()
    handler.wfile.write(body)
    handler.close_connection = True
