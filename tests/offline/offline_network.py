"""Shuts the network for a Python process and all its children: loopback and unix sockets only.

`tests/conftest.py` calls `shut` for the tests themselves, and puts this folder on PYTHONPATH, where
`sitecustomize.py` does it for every process that a test starts. An audit hook cannot be taken off,
and sees each connection.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from pathlib import Path

LOG = "BOOKWORM_TESTS_NETWORK_LOG"
"""Names a file to which each attempt is written, for code that swallows the error."""

HERE = frozenset({"", "localhost", "localhost.localdomain", "testserver", "0.0.0.0", "::"})


class NetworkUsed(RuntimeError):
    """Something tried to leave this machine; nothing in Bookworm may, unless a person asked for it."""


def is_here(host: object) -> bool:
    """Whether an address stays on this machine."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not isinstance(host, str) or host in HERE or host == socket.gethostname():
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """The audit hook: raises for an address elsewhere."""
    if event == "socket.getaddrinfo":
        host: object = arguments[0]
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # unix sockets have a path, not a tuple
    else:
        return
    if is_here(host):
        return
    if log := os.environ.get(LOG):
        with Path(log).open("a") as out:
            out.write(f"{event} {host}\n")
    raise NetworkUsed(f"{event} to {host!r}: the tests run without a network")


_shut = False


def shut() -> None:
    """For the rest of this process's life."""
    global _shut
    if not _shut:
        sys.addaudithook(watch)
        _shut = True
