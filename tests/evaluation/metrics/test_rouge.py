"""ROUGE by hand, and against the package and a slow definition of the longest common subsequence."""

from __future__ import annotations

import sys
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.registry import make_metric
from evaluation.metrics.rouge import Rouge, longest_common
from tests.evaluation.metrics.samples import sample

few_words = st.lists(st.sampled_from("abcde"), max_size=25)
prose = st.lists(
    st.sampled_from(["walks", "walking", "the", "Harbours", "harbour", "don't", "café", "—", "1884"])
).map(" ".join)


@pytest.fixture(scope="module")
def rouge() -> Rouge:
    return Rouge()


def test_by_hand(rouge: Rouge) -> None:
    found = rouge.compare("The clerks walked to the harbour.", "A clerk walks to the old harbour")
    # Stems: the clerk walk to the harbour | a clerk walk to the old harbour.
    assert found["rouge1_precision"] == pytest.approx(5 / 6)
    assert found["rouge1_recall"] == pytest.approx(5 / 7)
    assert found["rouge1"] == pytest.approx(2 * 5 / (6 + 7))
    # clerk-walk, walk-to, to-the.
    assert found["rouge2"] == pytest.approx(2 * 3 / (5 + 6))
    assert found["rougeL"] == pytest.approx(2 * 5 / (6 + 7))


@settings(max_examples=200, deadline=None)
@given(prose, prose)
def test_it_is_what_the_package_counts(answer: str, reference: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    wanted = scorer.score(target=reference, prediction=answer)
    found = Rouge().compare(answer, reference)
    if found["rouge1"] is None:
        assert not any(character.isalnum() and character.isascii() for character in reference)
        return
    for kind, score in wanted.items():
        parts = (found[f"{kind}_precision"], found[f"{kind}_recall"], found[kind])
        assert parts == pytest.approx(tuple(score))


@settings(max_examples=300, deadline=None)
@given(few_words, few_words)
def test_the_longest_subsequence(one: list[str], other: list[str]) -> None:
    @cache
    def slow(i: int, j: int) -> int:
        if i == len(one) or j == len(other):
            return 0
        if one[i] == other[j]:
            return 1 + slow(i + 1, j + 1)
        return max(slow(i + 1, j), slow(i, j + 1))

    assert longest_common(one, other) == slow(0, 0)


def test_often_and_rarely_the_same() -> None:
    one = ["a", "b"] * 40
    assert longest_common(one, ["b"] * 60) == 40
    assert longest_common(one, ["b", "a"] * 40) == 79


def test_chinese(rouge: Rouge) -> None:
    # 老师 喜欢 音乐 | 老师 不 喜欢 数学
    found = rouge.compare("老师喜欢音乐。", "老師不喜歡數學")
    assert found["rouge1_precision"] == pytest.approx(2 / 3)
    assert found["rouge1_recall"] == pytest.approx(2 / 4)
    assert found["rouge2"] == 0
    assert found["rougeL_recall"] == pytest.approx(2 / 4)


def test_nothing_said_and_nothing_to_say(rouge: Rouge) -> None:
    silent, unmeasured = rouge.score([sample("", "She walks."), sample("She walks.", " — ")])
    assert set(silent) == set(unmeasured) == set(rouge.columns)
    assert set(silent.values()) == {0.0}
    assert set(unmeasured.values()) == {None}


def test_very_long_texts_take_seconds(rouge: Rouge) -> None:
    words = [f"w{n * 7919 % 20011}" for n in range(30_000)]
    start = time.process_time()
    found = rouge.compare(" ".join(words), " ".join(reversed(words)))
    assert time.process_time() - start < 10
    assert found["rouge1"] == 1
    assert 0 < (found["rougeL"] or 0) < 0.2


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(MetricUnavailable, match=r"pip install 'bookworm\[evaluate\]'"):
        make_metric("rouge")
