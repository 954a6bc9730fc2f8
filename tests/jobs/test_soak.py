"""The crash test: workers killed at random moments while they ingest. `make soak` runs it at full size."""

from __future__ import annotations

import pytest

from benchmarks.crash import Options, run

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.mark.soak
@pytest.mark.parametrize("database", ["sqlite"])
def test_a_few_books_survive_a_few_kills(database: str) -> None:
    result = run(Options(database=database, books=3, kills=2, paragraphs=400, timeout=200))
    assert result.problems == ()
    assert result.ready == 3


@pytest.mark.soak
@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("database", BOTH)
def test_twenty_books_survive_ten_kills(database: str, seed: int) -> None:
    result = run(Options(database=database, books=20, kills=10, seed=seed))
    assert result.problems == ()
    assert result.ready == 20
    assert result.cut_short > 0
