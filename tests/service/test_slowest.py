"""The record of slow requests is bounded, forgets what is old, and costs next to nothing."""

from __future__ import annotations

import random
import threading
import time
from datetime import UTC, datetime

import pytest

from service.observability.slowest import SLOT_SECONDS, SLOTS, Routes, Slow, Slowest

NOW = datetime(2026, 11, 22, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def slow(seconds: float) -> Slow:
    return Slow(seconds, NOW, "/books", "GET", 200, "id", None)


def offer(slowest: Slowest, seconds: float) -> None:
    if slowest.worth(seconds):
        slowest.add(slow(seconds))


def test_the_slowest_are_kept_slowest_first() -> None:
    slowest = Slowest(kept=5, clock=Clock())
    times = [number / 100 for number in range(1, 100)]
    random.Random(1).shuffle(times)
    for seconds in times:
        offer(slowest, seconds)
    assert [one.seconds for one in slowest.listed()] == [0.99, 0.98, 0.97, 0.96, 0.95]
    assert not slowest.worth(0.5)


def test_an_hour_later_they_are_gone() -> None:
    clock = Clock()
    slowest = Slowest(kept=2, clock=clock)
    offer(slowest, 9.0)
    clock.now = SLOT_SECONDS
    offer(slowest, 0.001)
    assert [one.seconds for one in slowest.listed()] == [9.0, 0.001], "of every ten minutes"
    clock.now = SLOT_SECONDS * SLOTS
    assert [one.seconds for one in slowest.listed()] == [0.001]
    clock.now = SLOT_SECONDS * (SLOTS + 9)
    assert slowest.listed() == []
    offer(slowest, 1.0)
    assert [one.seconds for one in slowest.listed()] == [1.0]


def test_equal_times_and_many_threads() -> None:
    slowest = Slowest(kept=10)

    def many() -> None:
        for _ in range(500):
            offer(slowest, 1.0)
            offer(slowest, 2.0)

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.seconds for one in slowest.listed()] == [2.0] * 10


def test_a_quick_request_costs_microseconds() -> None:
    slowest = Slowest()
    for number in range(1000):
        offer(slowest, 1.0 + number)
    started = time.process_time()
    routes = Routes()
    for _ in range(20_000):
        routes.add("GET", "/books", 0.001)
        offer(slowest, 0.001)
    assert (time.process_time() - started) / 20_000 < 20e-6


def test_how_a_route_fares() -> None:
    routes = Routes(recent=100)
    for number in range(1000):
        routes.add("GET", "/quick", number / 1000)
    routes.add("GET", "/slow", 700.0)
    slow, quick = routes.listed()
    assert (slow.route, slow.count, slow.median, slow.p95) == ("/slow", 1, 700.0, 700.0)
    assert (quick.route, quick.count) == ("/quick", 1000)
    assert quick.median == pytest.approx(0.9495), "of the last hundred"
    assert quick.p95 == pytest.approx(0.994)


def test_nothing_was_asked_yet() -> None:
    assert Routes().listed() == []
