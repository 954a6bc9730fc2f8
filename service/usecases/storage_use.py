"""Disk use of the books of a library, largest first.

Measuring is cheap for one book and expensive for a hundred thousand. Sizes are therefore cached for a while,
and one call measures for a limited time. The next one continues where it stopped.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from db.repositories import BookRepository
from db.store.sweeping import SOURCE
from db.types import BookRecord
from service.services import Services

FRESH_SECONDS: Final = 600.0
"""How long a size is cached, unless another version of the book is published."""
BUDGET_SECONDS: Final = 1.5


@dataclass(frozen=True, slots=True)
class Bytes:
    """Disk use of one book."""

    source: int = 0
    """The uploaded file."""
    reading: int = 0
    """Published version: text, chapters, mentions."""
    index: int = 0
    """Published version: the search index."""
    other: int = 0
    """Old versions and unfinished work, which are deleted automatically."""

    @property
    def total(self) -> int:
        return self.source + self.reading + self.index + self.other


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk with the files; for a remote store, the disk with its local copies."""

    free: int
    size: int


@dataclass(frozen=True, slots=True)
class Taken:
    books: int
    measured: int
    """Number of books measured in time. If it is less than all, the totals are not complete."""
    whole: Bytes
    items: tuple[tuple[BookRecord, Bytes], ...]
    """One page of the list, largest first."""
    more: bool
    disk: Disk


@dataclass(frozen=True, slots=True)
class _Measure:
    version: str | None
    at: float
    bytes: Bytes


class Space:
    """A cache of sizes, one per process."""

    def __init__(
        self,
        services: Services,
        *,
        budget: float = BUDGET_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._services = services
        self._budget = budget
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, _Measure]] = {}

    def taken(self, *, library: str, start: int = 0, limit: int = 50) -> Taken:
        with self._services.database.session(read_only=True) as session:
            marks = BookRepository(session).marks(library=library)
        with self._lock:
            known = self._known[library] = self._measured(marks, self._known.get(library, {}))
        ranked = sorted(known, key=lambda book_id: (-known[book_id].bytes.total, book_id))
        shown = ranked[start : start + limit]
        with self._services.database.session(read_only=True) as session:
            records = BookRepository(session).several(shown, library=library)
        return Taken(
            books=len(marks),
            measured=len(known),
            whole=_sum([measure.bytes for measure in known.values()]),
            items=tuple((records[one], known[one].bytes) for one in shown if one in records),
            more=len(ranked) > start + limit,
            disk=self._disk(),
        )

    def _measured(
        self, marks: list[tuple[str, str | None]], known: dict[str, _Measure]
    ) -> dict[str, _Measure]:
        """Uses cached sizes, then measures unknown ones, then outdated ones."""
        now = self._clock()
        until = now + self._budget
        found = {book_id: known[book_id] for book_id, version in marks if _same(known.get(book_id), version)}
        old = [mark for mark in marks if mark[0] in found and now - found[mark[0]].at > FRESH_SECONDS]
        for book_id, version in [mark for mark in marks if mark[0] not in found] + old:
            if self._clock() >= until:
                break
            found[book_id] = _Measure(version, self._clock(), self._measure(book_id, version))
        return found

    def _measure(self, book_id: str, version: str | None) -> Bytes:
        source = reading = index = other = 0
        for name, size in self._services.store.sizes(book_id):
            if name == SOURCE:
                source += size
            elif version is None or not name.startswith(f"{version}/"):
                other += size
            elif name.startswith(f"{version}/index/"):
                index += size
            else:
                reading += size
        return Bytes(source, reading, index, other)

    def _disk(self) -> Disk:
        settings = self._services.settings
        at = settings.workspace if "://" in settings.artefacts else settings.artefacts
        usage = shutil.disk_usage(at)
        return Disk(free=usage.free, size=usage.total)


def _same(measure: _Measure | None, version: str | None) -> bool:
    return measure is not None and measure.version == version


def _sum(parts: list[Bytes]) -> Bytes:
    return Bytes(
        sum(part.source for part in parts),
        sum(part.reading for part in parts),
        sum(part.index for part in parts),
        sum(part.other for part in parts),
    )
