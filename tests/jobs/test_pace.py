"""Time left: a guess by size at first, then by what was seen."""

from __future__ import annotations

import pytest

from service.jobs.stage_estimates import LEAST, Pace
from service.jobs.stages import PLAN

NOVEL = 600_000


def test_progress_runs_from_nothing_to_all() -> None:
    pace = Pace()
    points = [pace.done(s.name, share, size=NOVEL) for s in PLAN for share in (0.0, 0.5, 1.0)]
    assert points[0] == 0
    assert points[-1] == pytest.approx(1)
    assert points == sorted(points)


def test_time_left_shrinks_as_work_is_done() -> None:
    pace = Pace()
    left = [pace.left("resolve", share, elapsed=10 * share, size=NOVEL) for share in (0.1, 0.5, 0.9)]
    assert left == sorted(left, reverse=True)
    assert left[1] == pytest.approx(5 + left[2] - 1)


def test_stage_that_is_late_is_not_said_to_be_nearly_done() -> None:
    pace = Pace()
    later = pace.expected("publish", size=NOVEL)
    assert pace.left("index", 0.0, elapsed=100, size=NOVEL) == pytest.approx(50 + later)


def test_what_was_seen_counts_more_than_the_first_guess() -> None:
    pace = Pace()
    for _ in range(20):
        pace.learn("resolve", size=NOVEL, seconds=60)
    assert pace.expected("resolve", size=NOVEL) == pytest.approx(60, rel=0.05)
    assert pace.expected("resolve", size=2 * NOVEL) == pytest.approx(120, rel=0.05)


def test_tiny_book_does_not_spoil_the_guess() -> None:
    pace = Pace()
    pace.learn("resolve", size=10, seconds=0.2)
    assert pace.expected("resolve", size=NOVEL) < 30
    assert pace.expected("read", size=0) == LEAST
