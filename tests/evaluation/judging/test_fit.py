"""Fitting the offline judge: weights have fixed signs, and scores are shares of correct verdicts."""

from __future__ import annotations

import random

import pytest

from evaluation.judging.fit import fitted
from evaluation.judging.types import Falsehood, JudgingHalf, KnownFact
from generation.checking.judges.agreement_features import SIGNS
from generation.checking.judges.judge_weights import JudgeWeights, own_weights, read_weights
from generation.checking.judges.offline_judge import ClaimSigns
from generation.types import Category, Label, Verdict

NOTHING = JudgeWeights(0.0, (0.0,) * len(SIGNS), (), 0.0, 0.0, {})


def made(count: int, *, noise: float) -> tuple[list[KnownFact], list[ClaimSigns]]:
    """Make facts that are true where the sign `agreed` is high; `missing` has the wrong sign."""
    drawn = random.Random(3)
    facts, seen = [], []
    names = list(SIGNS)
    for n in range(count):
        true = n % 2 == 0
        row = [drawn.random() for _ in names]
        row[names.index("agreed")] = min(1.0, max(0.0, float(true) + drawn.gauss(0, noise)))
        row[names.index("missing")] = float(true)
        kind = None if true else Falsehood.CHARACTER
        facts.append(KnownFact(f"book{n % 4}", JudgingHalf.CALIBRATION, "A", "A.", Category.EVENT, kind, "a"))
        seen.append(ClaimSigns(tuple(row), Verdict(Label.UNCERTAIN, 0.5, (), "hand"), None))
    return facts, seen


def test_what_tells_is_weighed_and_what_would_tell_the_wrong_way_is_not() -> None:
    weights = dict(zip(SIGNS, fitted(*made(400, noise=0.3), start=NOTHING).weights, strict=True))
    assert weights["agreed"] > 1
    assert weights["missing"] == 0
    for name, sign in SIGNS.items():
        assert weights[name] * sign >= 0


def test_scores_only_rise_and_are_shares() -> None:
    steps = fitted(*made(400, noise=0.6), start=NOTHING).steps
    assert steps == tuple(sorted(steps))
    shares = [share for _, share in steps]
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] <= 1


def test_nine_in_ten_above_the_threshold_are_true() -> None:
    facts, seen = made(600, noise=0.4)
    weights = fitted(facts, seen, start=NOTHING)
    sums = [weights.sum(s.numbers or ()) for s in seen]
    above = [fact.true for fact, total in zip(facts, sums, strict=True) if total >= weights.supported]
    assert len(above) > 100
    assert sum(above) / len(above) >= 0.88


def test_a_rule_is_trusted_as_often_as_it_was_right() -> None:
    facts, _ = made(8, noise=0.1)
    seen = [ClaimSigns(None, Verdict(Label.SUPPORTED, 0.5, (), "hand"), "kin") for _ in facts]
    more, other = made(40, noise=0.1)
    rules = fitted([*facts, *more], [*seen, *other], start=NOTHING).rules
    assert rules == {"kin": pytest.approx((4 + 1) / (8 + 2))}


def test_between_steps_scores_are_in_proportion() -> None:
    weights = JudgeWeights(0.0, (0.0,) * len(SIGNS), ((-1.0, 0.2), (1.0, 0.8)), 0.0, 0.0, {})
    assert weights.likely(-5) == 0.2
    assert weights.likely(0) == pytest.approx(0.5)
    assert weights.likely(0.5) == pytest.approx(0.65)
    assert weights.likely(9) == 0.8


def test_weights_are_kept_as_they_are(tmp_path_factory: pytest.TempPathFactory) -> None:
    import json

    path = tmp_path_factory.mktemp("w") / "w.json"
    path.write_text(json.dumps(own_weights().to_dict()))
    assert read_weights(path) == own_weights()


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"version": 9}', '{"version": 1, "weights": {"words": 1}}', "no"]
)
def test_another_file_is_refused(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("w") / "w.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r".+"):
        read_weights(path)
