"""Figures of a judge, by hand."""

from __future__ import annotations

import pytest

from books.types import Span
from evaluation.judging.judge_figures import Rate, by, figures, reliability
from evaluation.judging.types import Falsehood, JudgedFact, JudgingHalf, KnownFact
from generation.types import Category, Claim, Label, Verdict


def judged(true: bool, label: Label, score: float = 0.9, category: Category = Category.EVENT) -> JudgedFact:
    kind = None if true else Falsehood.POLARITY
    known = KnownFact("emma", JudgingHalf.HELD_OUT, "Emma", "Emma left.", category, kind, "left")
    claim = Claim("Emma left.", category, 0, Span(0, 10), "emma")
    return JudgedFact(known, claim, Verdict(label, score, (), "hand"))


ROWS = [
    judged(True, Label.SUPPORTED),
    judged(True, Label.SUPPORTED, 0.55, Category.ROLE),
    judged(True, Label.UNSUPPORTED),
    judged(True, Label.CONTRADICTED, 0.95),
    judged(False, Label.SUPPORTED, 0.95),
    judged(False, Label.CONTRADICTED),
    judged(False, Label.UNCERTAIN),
    judged(False, Label.UNSUPPORTED),
]


def test_precision_and_recall() -> None:
    found = figures(ROWS)
    assert found.supported_precision == Rate(2, 3)
    assert found.supported_recall == Rate(2, 4)
    assert found.contradicted_precision == Rate(1, 2)
    assert found.contradicted_recall == Rate(1, 4)
    assert found.false_supported == Rate(1, 4)
    assert found.uncertain == Rate(1, 8)
    assert found.labels == {"supported": 3, "contradicted": 2, "unsupported": 2, "uncertain": 1}


def test_parts_leave_out_what_has_no_key() -> None:
    found = by(ROWS, lambda j: j.known.falsehood and j.known.falsehood.value)
    assert {name: f.facts for name, f in found.items()} == {"polarity": 4}
    assert by(ROWS, lambda j: j.known.category.value)["role"].supported_recall == Rate(1, 1)


def test_reliability_counts_only_verdicts_that_take_a_side() -> None:
    bins = {(b.low, b.high): b for b in reliability(ROWS)}
    assert bins[0.5, 0.6].right == Rate(1, 1)
    assert bins[0.5, 0.6].said == pytest.approx(0.55)
    assert bins[0.9, 1.0].right == Rate(2, 4)
    assert bins[0.9, 1.0].said == pytest.approx((0.9 + 0.95 + 0.95 + 0.9) / 4)
    assert sum(b.right.all for b in bins.values()) == 5


def test_intervals_are_wilsons() -> None:
    """8 of 10: computed by hand, and as in `statsmodels`."""
    assert Rate(8, 10).interval == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert Rate(0, 0).interval is None
    assert Rate(0, 0).value is None
    low, high = Rate(5, 5).interval or (0.0, 0.0)
    assert low == pytest.approx(0.5655175, abs=1e-6)
    assert high == pytest.approx(1.0)
