"""Traces: sent when an endpoint is set, by template and without names; a word when the extra is missing."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.observability.tracing import TracingUnavailable
from service.settings import Settings


class Collector(ThreadingHTTPServer):
    """Takes what an OpenTelemetry collector would."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[bytes] = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        assert isinstance(self.server, Collector)
        self.server.bodies.append(body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def settings(folder: Path, endpoint: str) -> Settings:
    return Settings(
        data_dir=folder, embedder="hashing", jobs_in_process=False, log_level="error", otel_endpoint=endpoint
    )


def test_spans_arrive_by_template_and_without_names(tmp_path: Path, collector: Collector) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    endpoint = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    with TestClient(create_app(settings(tmp_path, endpoint))) as client:
        client.get("/characters/Rebecca/description", params={"upto": "ch:3", "book": "manderley"})
    said = b"".join(collector.bodies)
    assert b"/characters/{name}/description" in said
    assert b"Rebecca" not in said
    assert b"manderley" not in said


def test_a_missing_extra_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(TracingUnavailable, match="otel"):
        create_app(settings(tmp_path, "http://127.0.0.1:1/v1/traces"))


def test_nothing_is_imported_without_an_endpoint() -> None:
    program = (
        "import sys; from service.app import create_app; from service.settings import Settings;"
        "create_app(Settings());"
        "assert not [m for m in sys.modules if m.startswith('opentelemetry.sdk.trace.export')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
