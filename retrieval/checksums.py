"""Verify that the files of an index are those that were written: sizes at every open, contents once.

Computing the checksum of a large index takes longer than the rest of opening it. So the result is cached for
the life of the process, as long as the file is the same one: place on the disk, size and times.
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
"""Number of cached files: some thousands of books."""
_BLOCK = 1 << 20
_SETTLED = 2_000_000_000
"""Nanoseconds since its last change after which a file's checksum is cached.

Clocks of file systems are coarse: two changes within one tick look the same.
"""


class Checksums:
    """Size and CRC-32 of files; safe to call from many threads."""

    def __init__(self, *, kept: int = _KEPT, settled: int = _SETTLED) -> None:
        self._kept = kept
        self._settled = settled
        self._known: OrderedDict[Identity, int] = OrderedDict()
        self._lock = Lock()

    def of(self, path: Path) -> list[int]:
        """Return size and CRC-32, fast enough for every open. The manifest protects against tampering."""
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
    """Return the identity of a file.

    Every write changes its last field, even one that resets the field before.
    """
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
