"""Time left: a guess by size at first, then by what was seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service import kept_by_machine
from service.jobs.stage_estimates import FIRST_GUESS, LEAST, Pace
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
    before = pace.expected("resolve", size=NOVEL)
    pace.learn("resolve", size=2_000, seconds=3)  # the models are loaded
    assert pace.expected("resolve", size=NOVEL) == pytest.approx(before, rel=0.2)
    assert pace.expected("read", size=0) == LEAST


def test_what_was_seen_is_kept_for_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "new" / "rates.json"
    seen = Pace(file)
    for _ in range(20):
        seen.learn("resolve", size=NOVEL, seconds=6)
    assert Pace(file).expected("resolve", size=NOVEL) == pytest.approx(6, rel=0.05), "in another process"
    monkeypatch.setattr(kept_by_machine, "machine", lambda: "another")
    assert Pace(file).expected("resolve", size=NOVEL) == Pace().expected("resolve", size=NOVEL)


@pytest.mark.parametrize("kept", [3, {"resolve": "soon"}, {"resolve": -1}, {"rest": 7}, {"resolve": None}])
def test_damaged_rates_are_left(tmp_path: Path, kept: object) -> None:
    file = tmp_path / "rates.json"
    file.write_text(json.dumps({kept_by_machine.machine(): kept}))
    pace = Pace(file)
    assert pace.expected("resolve", size=1_000_000) == LEAST + FIRST_GUESS["resolve"]
    pace.learn("read", size=NOVEL, seconds=1)
    assert json.loads(file.read_text())[kept_by_machine.machine()]["resolve"] == FIRST_GUESS["resolve"]


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Pace(tmp_path / "file" / "rates.json").learn("read", size=NOVEL, seconds=1)


def test_the_first_guess_is_near_what_was_measured() -> None:
    """100,000 words, about 0.55 MB, were resolved in 27 seconds, as `benchmarks/results/coref.json` says."""
    results = Path(__file__).parents[2] / "benchmarks" / "results" / "coref.json"
    measured = json.loads(results.read_text())["result"]["by_length"][-1]
    guess = Pace().expected("resolve", size=round(5.6 * measured["words"]))
    assert guess == pytest.approx(measured["seconds"], rel=0.5)
