"""The slowest requests of the last hour in this process, one by one, and how the routes fare by the metrics.

Every request passes here, so one that is not slow costs a look at the clock and a comparison.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Final

from service.observability import metrics

SLOT_SECONDS: Final = 600.0
SLOTS: Final = 6
KEPT: Final = 50
"""Of each slot; so many are known of the whole hour, whatever falls out of it meanwhile."""


@dataclass(frozen=True, slots=True)
class Slow:
    """One request. Templates and ids of requests only: no name, text or id of a book."""

    seconds: float
    at: datetime
    route: str
    method: str
    status: int
    request_id: str
    key_id: str | None


class Slowest:
    """The slowest of each ten minutes: what is old goes with its slot, and nothing has to be searched."""

    def __init__(self, *, kept: int = KEPT, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept = kept
        self._clock = clock
        self._lock = threading.Lock()
        self._slots: dict[int, list[tuple[float, int, Slow]]] = {}
        """Heaps, quickest first; the number settles ties."""
        self._added = count()
        self._slot = -1
        self._mark = 0.0
        """What is quicker is not among the slowest of this slot."""

    def worth(self, seconds: float) -> bool:
        """Whether to `add` it; asked without a lock, so now and then one too many is added, and dropped."""
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
        """Slowest first."""
        with self._lock:
            oldest = self._clock() // SLOT_SECONDS - SLOTS
            found = [one for slot, held in self._slots.items() if slot > oldest for one in held]
        return [one for *_, one in sorted(found, reverse=True)]


SLOWEST: Final = Slowest()


def record(
    *, route: str, method: str, status: int, seconds: float, request_id: str, key_id: str | None
) -> None:
    if SLOWEST.worth(seconds):
        SLOWEST.add(Slow(seconds, datetime.now(UTC), route, method, status, request_id, key_id))


@dataclass(frozen=True, slots=True)
class RouteTimes:
    method: str
    route: str
    count: int
    median: float
    p95: float
    """Seconds, as near as the histogram's buckets tell."""


def by_route() -> list[RouteTimes]:
    """Of all requests since this process began; most time taken first."""
    seen: dict[tuple[str, str], dict[float, float]] = {}
    spent: dict[tuple[str, str], float] = {}
    for sample in (s for family in metrics.REQUEST_SECONDS.collect() for s in family.samples):
        key = (sample.labels.get("method", ""), sample.labels.get("route", ""))
        if sample.name.endswith("_bucket"):
            buckets = seen.setdefault(key, {})
            edge = float(sample.labels["le"])
            buckets[edge] = buckets.get(edge, 0.0) + sample.value
        elif sample.name.endswith("_sum"):
            spent[key] = spent.get(key, 0.0) + sample.value
    told = [
        RouteTimes(*key, int(max(b.values())), quantile(b.items(), 0.5), quantile(b.items(), 0.95))
        for key, b in seen.items()
    ]
    return sorted(told, key=lambda t: -spent.get((t.method, t.route), 0.0))


def quantile(buckets: Iterable[tuple[float, float]], share: float) -> float:
    """Within the bucket it falls into it is taken to be spread evenly, as Prometheus takes it; beyond the
    last edge, that edge."""
    ordered = sorted(buckets)
    wanted = share * ordered[-1][1]
    low = below = 0.0
    for edge, sofar in ordered:
        if sofar >= wanted and sofar > below:
            return low if edge == float("inf") else low + (edge - low) * (wanted - below) / (sofar - below)
        low, below = edge, sofar
    return low
