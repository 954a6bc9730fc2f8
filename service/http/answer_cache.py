"""A cache of serialized answers: the same request for the same version of a book returns the same bytes.

The key contains the published version, the number of decisions and the request, so entries do not become
outdated. Only a refresh changes an answer under the same key. This process then removes the answers about the
book, and other processes do so when an entry is too old.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

Question = tuple[str, ...]

_MOST_BYTES: Final = 32 * 1024 * 1024
_LONGEST_SECONDS: Final = 60.0


class Answers:
    """An LRU cache with a limit on the total number of bytes."""

    def __init__(
        self,
        *,
        most_bytes: int = _MOST_BYTES,
        longest: float = _LONGEST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes = most_bytes
        self._longest = longest
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, Question], tuple[float, bytes]] = OrderedDict()
        self._bytes = 0

    def get(self, book_id: str, question: Question) -> bytes | None:
        with self._lock:
            found = self._kept.get((book_id, question))
            if found is None:
                return None
            if self._clock() - found[0] > self._longest:
                self._drop((book_id, question))
                return None
            self._kept.move_to_end((book_id, question))
            return found[1]

    def put(self, book_id: str, question: Question, body: bytes) -> None:
        with self._lock:
            self._drop((book_id, question))
            self._kept[book_id, question] = (self._clock(), body)
            self._bytes += len(body)
            while self._bytes > self._most_bytes:
                self._drop(next(iter(self._kept)))

    def forget(self, book_id: str) -> None:
        """Remove all answers about a book."""
        with self._lock:
            for key in [k for k in self._kept if k[0] == book_id]:
                self._drop(key)

    def _drop(self, key: tuple[str, Question]) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._bytes -= len(found[1])
