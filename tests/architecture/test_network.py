"""The suite's own lock on the network works, here and in child processes."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from offline_network import NetworkUsed, is_here


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("10.255.255.1", 80)])
def test_connecting_elsewhere_raises(address: tuple[str, int]) -> None:
    with socket.socket() as s:
        s.settimeout(1)
        with pytest.raises(NetworkUsed):
            s.connect(address)


def test_names_elsewhere_are_not_looked_up() -> None:
    with pytest.raises(NetworkUsed):
        socket.getaddrinfo("example.org", 80)


def test_loopback_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass


def test_unix_sockets_work(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", b"127.0.0.1", None])
def test_here(host: object) -> None:
    assert is_here(host)


@pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "example.org", "127.0.0.1.org"])
def test_elsewhere(host: object) -> None:
    assert not is_here(host)


def test_children_are_locked_in_too() -> None:
    code = "import socket; socket.getaddrinfo('example.org', 80)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "NetworkUsed" in done.stderr
