"""Ids: opaque, unique, and in order of creation."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from db import identity
from db.identity import make_id


def test_ids_sort_by_age_and_never_repeat() -> None:
    ids = [make_id("bk") for _ in range(5_000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"bk_[0-9a-hjkmnp-tv-z]{18}", one) for one in ids)


def test_threads_never_make_the_same() -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: make_id("job"), range(5_000)))
    assert len({one[: -identity.RANDOM_DIGITS] for one in ids}) == len(ids)


def test_a_clock_that_goes_back_does_not_turn_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_id("bk")
    monkeypatch.setattr(identity.time, "time_ns", lambda: 0)
    assert make_id("bk") > first


def test_the_alphabet_is_in_the_databases_order() -> None:
    assert "".join(sorted(identity.ALPHABET)) == identity.ALPHABET
    assert len(set(identity.ALPHABET)) == 32
