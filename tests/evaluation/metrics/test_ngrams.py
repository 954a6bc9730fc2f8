"""What a text copies, repeats and adds: by hand, and against slow definitions."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.ngrams import (
    Article,
    compression,
    coverage,
    density,
    fragments,
    novel_ngrams,
    repeated_ngrams,
)
from evaluation.metrics.tokens import words_of

ARTICLE = "The old clerk came to the harbour in March, and the harbour board paid her fifteen shillings."
SUMMARY = "A clerk came to the harbour; the harbour board paid her nothing."
few_words = st.lists(st.sampled_from("abcd"), max_size=30)


def has(article: list[str], run: list[str]) -> bool:
    return any(article[at : at + len(run)] == run for at in range(len(article) - len(run) + 1))


def slow_fragments(article: list[str], summary: list[str]) -> list[tuple[str, ...]]:
    """The definition: at each word the longest run that the article has."""
    found, at = [], 0
    while at < len(summary):
        length = max(
            (n for n in range(1, len(summary) - at + 1) if has(article, summary[at : at + n])), default=0
        )
        if length:
            found.append(tuple(summary[at : at + length]))
        at += max(length, 1)
    return found


def test_by_hand() -> None:
    assert fragments(ARTICLE, SUMMARY) == [
        ("clerk", "came", "to", "the", "harbour"),
        ("the", "harbour", "board", "paid", "her"),
    ]
    assert coverage(ARTICLE, SUMMARY) == pytest.approx(10 / 12)
    assert density(ARTICLE, SUMMARY) == pytest.approx((5**2 + 5**2) / 12)
    assert compression(ARTICLE, SUMMARY) == pytest.approx(17 / 12)
    # New are a and nothing; of ten distinct pairs a-clerk, harbour-the, her-nothing.
    assert novel_ngrams(SUMMARY, ARTICLE, 1) == pytest.approx(2 / 10)
    assert novel_ngrams(SUMMARY, ARTICLE, 2) == pytest.approx(3 / 10)
    # the, harbour, and both in a row, once more.
    assert repeated_ngrams(SUMMARY, 1) == pytest.approx(2 / 12)
    assert repeated_ngrams(SUMMARY, 2) == pytest.approx(1 / 11)
    assert repeated_ngrams(SUMMARY, 3) == 0


def test_the_longest_is_found_where_the_published_program_skips_it() -> None:
    """It continues after `a a` at the first two positions, and so never looks at the second."""
    assert fragments(list("aaab"), list("aab")) == [("a", "a", "b")]


@settings(max_examples=300, deadline=None)
@given(few_words, few_words)
def test_fragments_by_their_definition(article: list[str], summary: list[str]) -> None:
    assert fragments(article, summary) == slow_fragments(article, summary)
    assert fragments(Article(article), summary) == slow_fragments(article, summary)


@settings(max_examples=100, deadline=None)
@given(few_words, few_words, st.integers(1, 4))
def test_ngrams_by_their_definition(text: list[str], source: list[str], n: int) -> None:
    every = [text[at : at + n] for at in range(len(text) - n + 1)]
    different = [gram for at, gram in enumerate(every) if gram not in every[:at]]
    new = [gram for gram in different if not has(source, gram)]
    assert novel_ngrams(text, source, n) == (pytest.approx(len(new) / len(different)) if every else None)
    expected = pytest.approx(1 - len(different) / len(every)) if every else None
    assert repeated_ngrams(text, n) == expected


def test_nothing_gives_nothing() -> None:
    for empty in ("", "  \n", "… — !"):
        assert fragments(ARTICLE, empty) == []
        assert fragments(empty, SUMMARY) == []
        assert coverage(ARTICLE, empty) is None
        assert density(ARTICLE, empty) is None
        assert compression(ARTICLE, empty) is None
        assert novel_ngrams(empty, ARTICLE, 1) is None
        assert repeated_ngrams(empty, 1) is None
        assert coverage(empty, SUMMARY) == 0
        assert novel_ngrams(SUMMARY, empty, 2) == 1


def test_case_marks_and_apostrophes_make_no_difference() -> None:
    assert coverage("“DON’T go,” she said.", "Don't go, she said!") == 1


def test_chinese_is_parted_by_the_dictionary_whichever_its_script() -> None:
    assert words_of("老師喜歡 Bess 的音樂。") == ["老师", "喜欢", "bess", "的", "音乐"]
    assert coverage("我的老师喜欢音乐", "老師喜歡音樂！") == 1
    assert novel_ngrams("老师喜欢音乐", "老师不喜欢数学", 1) == pytest.approx(1 / 3)


@pytest.mark.parametrize("word", ["word ", "“Ha!” ", "贾宝玉"])
def test_thirty_thousand_words_of_one_kind_take_seconds(word: str) -> None:
    """Every position begins a run as long as the rest: comparing at each of them would take an hour."""
    text = word * 30_000
    start = time.process_time()
    assert coverage(text, text) == 1
    assert novel_ngrams(text, text, 4) == 0
    assert time.process_time() - start < 10


def test_long_texts_without_a_common_word_take_seconds() -> None:
    one, other = (" ".join(f"{letter}{n % 9973}" for n in range(100_000)) for letter in "xy")
    start = time.process_time()
    assert coverage(one, other) == 0
    assert novel_ngrams(other, one, 1) == 1
    assert time.process_time() - start < 10
