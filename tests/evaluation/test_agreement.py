from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import cohen, fleiss

LABELS = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)
# Fleiss (1971) as in textbooks: ten subjects, fourteen raters, five classes; κ = 0.210.
TEXTBOOK = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def test_cohen_by_hand() -> None:
    """20 both yes, 5 and 10 apart, 15 both no: 0.7 observed, 0.5 × 0.6 + 0.5 × 0.4 = 0.5 by chance."""
    one = ["yes"] * 20 + ["yes"] * 5 + ["no"] * 10 + ["no"] * 15
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen(one, other) == pytest.approx(0.4)


def test_cohen_of_three_classes_by_hand() -> None:
    """Observed 4 of 6; by chance (2×1 + 2×3 + 2×2) / 36 = 1/3; so (2/3 − 1/3) / (2/3) = 1/2."""
    assert cohen(list("aabbcc"), list("abbbcc")) == pytest.approx((5 / 6 - 1 / 3) / (2 / 3))
    assert cohen(list("aabbcc"), list("bbbacc")) == pytest.approx((3 / 6 - 1 / 3) / (2 / 3))


def test_fleiss_by_the_textbook() -> None:
    rows = [[label for label, n in enumerate(row) for _ in range(n)] for row in TEXTBOOK]
    assert fleiss(rows) == pytest.approx(0.20993, abs=1e-5)


def test_fleiss_by_hand() -> None:
    """Three raters: 1 and 1/3 observed, mean 2/3; classes 5/6 and 1/6, so 26/36 by chance: −1/5."""
    assert fleiss([["a", "a", "a"], ["a", "a", "b"]]) == pytest.approx((2 / 3 - 26 / 36) / (10 / 36))


def test_agreement_by_necessity_says_nothing() -> None:
    assert cohen(["a", "a"], ["a", "a"]) is None
    assert fleiss([["a", "a"], ["a", "a"]]) is None
    assert cohen([], []) is None
    assert fleiss([]) is None


def test_what_does_not_match_is_refused() -> None:
    with pytest.raises(ValueError, match="2 labels are compared with 1"):
        cohen(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="same number of labels"):
        fleiss([["a", "b"], ["a"]])
    with pytest.raises(ValueError, match="at least two"):
        fleiss([["a"], ["a"]])


@given(LABELS)
def test_full_agreement_is_one(labels: list[str]) -> None:
    assert cohen(labels, labels) in (None, pytest.approx(1.0))
    assert fleiss([[x, x, x] for x in labels]) in (None, pytest.approx(1.0))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_order_of_annotators_does_not_matter(pairs: list[tuple[str, str]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    assert cohen(one, other) == pytest.approx(cohen(other, one)) or cohen(one, other) is None
    assert fleiss(pairs) == pytest.approx(fleiss([(b, a) for a, b in pairs])) or fleiss(pairs) is None
