"""Whether the files of an index are those that were written: sizes at every open, contents once.

A checksum of a large index takes longer than anything else in opening it. So what a file was found to hold is
remembered for as long as the process lives and the file is the same one: place on the disk, size and times.
"""

from __future__ import annotations

import os
import time
import zlib
from collections import OrderedDict
from pathlib import Path
from threading import Lock

Identity = tuple[int, int, int, int, int]

_KEPT = 50_000
"""Files that are remembered: some thousands of books."""
_BLOCK = 1 << 20
_SETTLED = 2_000_000_000
"""Nanoseconds since its last change from which a file is remembered: clocks of file systems are coarse, and
what changes twice within a tick of them looks the same."""


class Checksums:
    """Size and CRC-32 of files; safe to ask from many threads."""

    def __init__(self, *, kept: int = _KEPT, settled: int = _SETTLED) -> None:
        self._kept = kept
        self._settled = settled
        self._known: OrderedDict[Identity, int] = OrderedDict()
        self._lock = Lock()

    def of(self, path: Path) -> list[int]:
        """Quick enough for every open. Against tampering there is the manifest."""
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            identity = _identity(status)  # taken before reading: a change meanwhile makes it another file
            with self._lock:
                check = self._known.get(identity)
                if check is not None:
                    self._known.move_to_end(identity)
                    return [status.st_size, check]
            check = size = 0
            while block := file.read(_BLOCK):
                size += len(block)
                check = zlib.crc32(block, check)
            if time.time_ns() - max(identity[3:]) >= self._settled:
                self._keep(identity, check)
        return [size, check]

    def _keep(self, identity: Identity, check: int) -> None:
        with self._lock:
            self._known[identity] = check
            if len(self._known) > self._kept:
                self._known.popitem(last=False)


def _identity(status: os.stat_result) -> Identity:
    """Whatever writes to a file changes the last of these, even when it sets the one before it back."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
