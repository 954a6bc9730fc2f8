"""A wire between browser and service that can be cut: a small TCP proxy in threads of its own."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_CHUNK = 4096
_ABRUPT = struct.pack("ii", 1, 0)
"""Closing resets the connection, as a cable that is pulled does in the end."""
_EVENTS = b"text/event-stream"


class Wire:
    """`most_of_a_stream`: so many bytes of each answer that streams events go through, then it is cut."""

    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        self._service = (parts.hostname or "", parts.port or 0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._whole = True
        self.most_of_a_stream: int | None = None
        self.cuts = 0
        """Streams of events that were cut off."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        """Nothing goes through any more, and whoever tries is sent away."""
        self._whole = False
        for end in tuple(self._open):
            _pull(end)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if not self._whole:
                    _pull(near)
                    continue
                far = socket.create_connection(self._service)
                self._open |= {near, far}
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
                threading.Thread(target=self._bring, args=(far, near), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                target.sendall(data)
        self._end(source, target)

    def _bring(self, source: socket.socket, target: socket.socket) -> None:
        """As `_carry`, but of a stream of events only so much as is let through."""
        left: int | None = None
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                if _EVENTS in data and self.most_of_a_stream is not None:
                    left = self.most_of_a_stream
                target.sendall(data if left is None else data[:left])
                if left is not None:
                    left -= len(data)
                    if left <= 0:
                        self.cuts += 1
                        break
        self._end(source, target)

    def _end(self, *ends: socket.socket) -> None:
        for end in ends:
            _pull(end)
            self._open.discard(end)


def _pull(end: socket.socket) -> None:
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABRUPT)
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wired(base: str) -> Iterator[Wire]:
    wire = Wire(base)
    try:
        yield wire
    finally:
        wire.close()
