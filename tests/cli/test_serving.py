"""The service started from the command line."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from service.cli.exits import Exit
from service.cli.serving import bound
from tests.cli.conftest import Bookworm

MAIN = "import sys; from service.cli.main import main; main()"


def test_it_will_not_listen_beyond_loopback_without_keys(bookworm: Bookworm, tmp_path: Path) -> None:
    ran = bookworm("serve", "--host", "0.0.0.0", "--port", "0", data_dir=tmp_path)
    assert ran.status == Exit.ERROR
    assert "exposure_refused" in ran.err
    assert "keys create" in ran.err


def test_a_taken_port_is_told_plainly(bookworm: Bookworm) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        ran = bookworm("serve", "--port", str(other.getsockname()[1]))
    assert ran.status == Exit.ERROR
    assert "address_taken" in ran.err


def test_a_worker_that_cannot_start_is_told_plainly(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("service.jobs.worker_name._lock", refuse)
    for command in (("serve", "--port", "0"), ("worker",)):
        ran = bookworm(*command, data_dir=tmp_path)
        assert ran.status == Exit.ERROR
        assert "file_trouble" in ran.err
        assert ".lock: Permission denied" in ran.err
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("worker",)])
@pytest.mark.parametrize(
    ("engine", "known"),
    [
        ("RESOLVER", "native"),
        ("EMBEDDER", "minilm"),
        ("RETRIEVER", "telling"),
        ("GENERATOR", "openai"),
        ("EXTRACTOR", "llm"),
        ("JUDGE", "nli"),
    ],
)
def test_an_engine_that_there_is_not_is_told_at_once(
    bookworm: Bookworm,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: tuple[str, ...],
    engine: str,
    known: str,
) -> None:
    monkeypatch.setenv(f"BOOKWORM_{engine}", "nosuch")
    ran = bookworm(*command, data_dir=tmp_path)
    assert ran.status == (Exit.USAGE if engine == "RETRIEVER" else Exit.UNAVAILABLE)
    assert "nosuch" in ran.err
    assert known in ran.err


def test_port_0_finds_a_free_one() -> None:
    with bound("127.0.0.1", 0) as one, bound("127.0.0.1", 0) as two:
        assert one.getsockname()[1] != two.getsockname()[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_answers_and_stops(tmp_path: Path, number: signal.Signals) -> None:
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "--data-dir", str(tmp_path), "serve", "--port", "0"],
            stderr=log,
            stdout=subprocess.PIPE,
            env=os.environ | {"COLUMNS": "200"},
        )
    try:
        url = _address(process, tmp_path / "log")
        with urllib.request.urlopen(f"{url}/livez", timeout=10) as answer:
            assert answer.status == 200
            assert "server" not in {name.lower() for name in answer.headers}
        process.send_signal(number)
        assert process.wait(30) in (0, -number, 128 + number)
    finally:
        process.kill()
        process.communicate()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        text = log.read_text()
        if "Application startup complete" in text:
            return text.split("listens on ")[1].split()[0]
        assert process.poll() is None, text
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def test_the_document_is_printed(bookworm: Bookworm) -> None:
    document = bookworm("openapi").json
    assert document["openapi"].startswith("3.1")
    assert "/v1/books" in document["paths"]
