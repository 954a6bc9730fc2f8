"""Resampling against SciPy's, against sums by hand, and against known properties."""

from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation.metrics.statistics import difference, interval

RANDOM = np.random.default_rng(3)
ONE = [float(v) for v in RANDOM.normal(0.5, 0.2, 40)]
OTHER = [v - float(d) for v, d in zip(ONE, RANDOM.normal(0.07, 0.15, 40), strict=True)]


def test_the_interval_is_scipys() -> None:
    found = interval(ONE)
    wanted = stats.bootstrap((ONE,), np.mean, method="percentile", n_resamples=20_000, rng=1)
    assert found is not None
    assert found.mean == pytest.approx(np.mean(ONE))
    assert found.low == pytest.approx(wanted.confidence_interval.low, abs=0.004)
    assert found.high == pytest.approx(wanted.confidence_interval.high, abs=0.004)
    assert (found.count, found.units) == (40, 40)


def test_the_level_is_heeded() -> None:
    wide, narrow = interval(ONE, level=0.99), interval(ONE, level=0.5)
    assert wide is not None
    assert narrow is not None
    assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]


def test_randomisation_is_scipys() -> None:
    found = difference(ONE, OTHER)
    wanted = stats.permutation_test(
        (ONE, OTHER),
        lambda a, b: np.mean(a) - np.mean(b),
        permutation_type="samples",
        n_resamples=20_000,
        rng=1,
    )
    assert found is not None
    assert 0.001 < wanted.pvalue < 0.2
    assert found.randomised == pytest.approx(wanted.pvalue, abs=0.008)


def test_few_pairs_are_exchanged_in_every_way() -> None:
    one, other = ONE[:8], OTHER[:8]
    found = difference(one, other)
    wanted = stats.permutation_test(
        (one, other), lambda a, b: np.mean(a) - np.mean(b), permutation_type="samples", n_resamples=np.inf
    )
    assert found is not None
    assert found.randomised == pytest.approx(wanted.pvalue)


def test_books_are_drawn_whole() -> None:
    """Three books, by hand: 27 ways to draw them, of 2, 1 and 1 answers."""
    values, books = [0.0, 0.2, 0.6, 1.0], ["a", "a", "b", "c"]
    sums, sizes = {"a": 0.2, "b": 0.6, "c": 1.0}, {"a": 2, "b": 1, "c": 1}
    ways = [sum(sums[b] for b in way) / sum(sizes[b] for b in way) for way in product("abc", repeat=3)]
    found = interval(values, books=books, level=0.8, draws=50_000)
    assert found is not None
    assert found.mean == pytest.approx(0.45)
    low, high = np.quantile(ways, [0.1, 0.9], method="inverted_cdf")
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert (found.count, found.units) == (4, 3)


def test_books_are_exchanged_whole() -> None:
    """Differences are -1 and 3 in one book, 4 in another: of four ways to sign 2 and 4 two reach 6."""
    found = difference([0.0, 4.0, 5.0], [1.0, 1.0, 1.0], books=["a", "a", "b"])
    assert found is not None
    assert found.mean == pytest.approx(2)
    assert found.randomised == pytest.approx(2 / 4)


def test_answers_of_one_book_say_less_than_as_many_books() -> None:
    hard, easy = [0.1] * 20, [0.9] * 20
    apart = interval(hard + easy)
    books = interval(hard + easy, books=[n // 10 for n in range(40)])
    assert apart is not None
    assert books is not None
    assert books.high - books.low > 2 * (apart.high - apart.low)  # type: ignore[operator]


def test_the_bootstrap_says_how_often_the_sides_change() -> None:
    """Of two differences, 3 and -1, both draws are -1 once in four: only then the mean is below zero."""
    found = difference([3.0, 0.0], [0.0, 1.0], draws=40_000)
    assert found is not None
    assert found.bootstrapped == pytest.approx(2 / 4, abs=0.02)
    assert found.low == -1
    assert found.high == 3


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=2, max_size=20), st.integers(0, 5))
def test_what_must_be_so(pairs: list[tuple[float, float]], seed: int) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    there = difference(one, other, draws=300, seed=seed)
    back = difference(other, one, draws=300, seed=seed)
    assert there is not None
    assert back is not None
    assert there == difference(one, other, draws=300, seed=seed)
    assert there.mean == pytest.approx(-back.mean)
    assert there.randomised == pytest.approx(back.randomised)
    assert 0 < there.randomised <= 1
    assert 0 < there.bootstrapped <= 1
    same = difference(one, one, draws=300, seed=seed)
    assert same is not None
    assert (same.mean, same.randomised, same.bootstrapped) == (0, 1, 1)


def test_another_seed_draws_otherwise() -> None:
    assert interval(ONE, draws=100, seed=1) == interval(ONE, draws=100, seed=1)
    assert interval(ONE, draws=100, seed=1) != interval(ONE, draws=100, seed=2)


def test_what_cannot_be_measured_is_left_out() -> None:
    assert interval([None, None]) is None
    assert interval([]) is None
    assert difference([None, 1.0], [1.0, None]) is None
    found = difference([0.5, None, 1.0], [0.25, 1.0, 0.5])
    assert found is not None
    assert (found.count, found.mean) == (2, pytest.approx(0.375))


def test_one_answer_has_no_bounds() -> None:
    found = interval([0.3, None])
    assert found is not None
    assert (found.mean, found.low, found.high) == (0.3, None, None)
    whole = interval([0.3, 0.5], books=["a", "a"])
    assert whole is not None
    assert (whole.low, whole.units) == (None, 1)


def test_lists_of_unlike_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        difference([1.0], [])
    with pytest.raises(ValueError, match="2 values, but 1 books"):
        interval([1.0, 2.0], books=["a"])


def test_a_large_set_takes_seconds() -> None:
    many = [float(v) for v in RANDOM.normal(size=6_000)]
    start = time.process_time()
    assert interval(many) is not None
    assert time.process_time() - start < 15
