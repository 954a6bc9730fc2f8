"""The slowest requests of the last hour in this process, and the response times of each route.

Every request is recorded. A fast one costs only an append, a clock read and a comparison.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from math import ceil
from statistics import median
from typing import Final

SLOT_SECONDS: Final = 600.0
SLOTS: Final = 6
KEPT: Final = 50
"""Requests kept per slot, so that at least this many of the whole hour are known."""


RECENT: Final = 200
"""Number of recent requests of each route for the percentiles."""


@dataclass(frozen=True, slots=True)
class Slow:
    """One request: route template and request id, but no name, text or id of a book."""

    seconds: float
    at: datetime
    route: str
    method: str
    status: int
    request_id: str
    key_id: str | None


class Slowest:
    """The slowest requests per slot of ten minutes. Old requests are dropped with their slot."""

    def __init__(self, *, kept: int = KEPT, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept = kept
        self._clock = clock
        self._lock = threading.Lock()
        self._slots: dict[int, list[tuple[float, int, Slow]]] = {}
        """Heaps with the fastest request first; the number breaks ties."""
        self._added = count()
        self._slot = -1
        self._mark = 0.0
        """Faster requests are not among the slowest of this slot."""

    def worth(self, seconds: float) -> bool:
        """Whether to `add` it. Called without a lock, so `add` may receive one too many and drops it."""
        return seconds > self._mark or self._clock() // SLOT_SECONDS != self._slot

    def add(self, one: Slow) -> None:
        with self._lock:
            slot = int(self._clock() // SLOT_SECONDS)
            if slot != self._slot:
                self._slot = slot
                self._slots = {number: held for number, held in self._slots.items() if number > slot - SLOTS}
            held = self._slots.setdefault(slot, [])
            put = heapq.heappush if len(held) < self._kept else heapq.heappushpop
            put(held, (one.seconds, next(self._added), one))
            self._mark = held[0][0] if len(held) >= self._kept else 0.0

    def listed(self) -> list[Slow]:
        """Requests, slowest first."""
        with self._lock:
            oldest = self._clock() // SLOT_SECONDS - SLOTS
            found = [one for slot, held in self._slots.items() if slot > oldest for one in held]
        return [one for *_, one in sorted(found, reverse=True)]


@dataclass(frozen=True, slots=True)
class RouteTimes:
    method: str
    route: str
    count: int
    """Number of requests since the process started."""
    median: float
    p95: float
    """95th percentile in seconds, over the last `RECENT` requests."""


class Routes:
    """Response times per route: one entry for each route and method."""

    def __init__(self, *, recent: int = RECENT) -> None:
        self._recent = recent
        self._held: dict[tuple[str, str], _Route] = {}

    def add(self, method: str, route: str, seconds: float) -> None:
        held = self._held.get((method, route))
        if held is None:
            held = self._held.setdefault((method, route), _Route(deque(maxlen=self._recent)))
        held.recent.append(seconds)
        held.count += 1
        held.seconds += seconds

    def listed(self) -> list[RouteTimes]:
        """Routes, the one with the highest total time first."""
        ordered = sorted(self._held.items(), key=lambda item: -item[1].seconds)
        return [RouteTimes(*key, held.count, *_middle_and_slow(held.recent)) for key, held in ordered]


@dataclass(slots=True)
class _Route:
    recent: deque[float]
    count: int = 0
    seconds: float = 0.0


def _middle_and_slow(recent: deque[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    ordered = sorted(recent.copy())
    return median(ordered), ordered[ceil(0.95 * len(ordered)) - 1]


SLOWEST: Final = Slowest()
ROUTES: Final = Routes()


def record(
    *, route: str, method: str, status: int, seconds: float, request_id: str, key_id: str | None
) -> None:
    ROUTES.add(method, route, seconds)
    if SLOWEST.worth(seconds):
        SLOWEST.add(Slow(seconds, datetime.now(UTC), route, method, status, request_id, key_id))
