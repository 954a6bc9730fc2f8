"""Measure a resolver's speed and memory, with each book in a process of its own.

The process reads the book before the clock starts; the peak is its whole memory, including Python, the
resolver and its weights.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from books.reading import read
from coref.protocols import Resolver
from coref.registry import resolver_for

Factory = Callable[[], Resolver]
"""Must be picklable, because it is sent to another process."""
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Timed:
    name: str
    """With the folder's name: a corpus may use one name for all its novels."""
    words: int
    seconds: float
    """Time to annotate the book; waiting for the resolver's weights is not counted."""
    peak: int
    """Bytes."""

    @property
    def words_per_second(self) -> float:
        return self.words / self.seconds if self.seconds else 0.0


def timed(path: Path, factory: Factory) -> Timed:
    """Time a resolver. Errors of the resolver or the reader in the other process are raised here."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_run, path, factory).result()


def _run(path: Path, factory: Factory) -> Timed:
    book = read(path.read_bytes(), name=path.name)
    resolver = resolver_for(book, factory())
    start = time.perf_counter()
    resolver.annotate(book)
    return Timed(
        f"{path.parent.name}/{path.name}", book.word_count, time.perf_counter() - start, peak_memory()
    )


def peak_memory() -> int:
    """Return the peak memory.

    On Linux a process inherits `ru_maxrss` from its parent, so `/proc` is read there.
    """
    if _STATUS.exists():
        for line in _STATUS.read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
