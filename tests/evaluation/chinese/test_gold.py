"""The marked chapters, and how the resolver is measured on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.chinese.resolver import ChineseResolver
from evaluation.chinese.gold import SECOND, GoldChapter, chapters, read_marked
from evaluation.chinese.measuring import ChineseScore, MarkCounts, agreement, measure
from evaluation.chinese.sources import as_book

GOLD = {gold.name: gold for gold in chapters()}
SECONDS = list(chapters(SECOND))


def test_marks_are_read() -> None:
    text, mentions, quotes = read_marked("{lin>zhou “[lin 我]来。”}[lin 林[zhou 他]妹]说。")
    assert text == "“我来。”林他妹说。"
    assert {span.of(text): who for span, who in mentions.items()} == {
        "我": "lin",
        "他": "zhou",
        "林他妹": "lin",
    }
    assert [(span.of(text), who) for span, who in quotes.items()] == [("“我来。”", ("lin", "zhou"))]


@pytest.mark.parametrize("gold", [*GOLD.values(), *SECONDS], ids=lambda gold: gold.name)
def test_every_person_is_in_the_cast_and_every_mark_in_a_marked_paragraph(gold: GoldChapter) -> None:
    speakers = {who for pair in gold.quotes.values() for who in pair} - {"?"}
    assert {*gold.mentions.values(), *speakers} <= set(gold.cast)
    assert all(map(gold.has, [*gold.mentions, *gold.quotes]))
    assert 3 <= sum(person.main for person in gold.cast.values()) <= 11
    assert not set("[]{}~") & set(gold.text)


def test_the_gold_has_all_of_itself() -> None:
    gold = GOLD["sanguo38"]
    same = agreement(gold, gold)
    assert same.mentions.f1 == same.people.recall == same.speakers.recall == 1
    other = replace(gold, mentions={Span(0, 1): "x", **dict(list(gold.mentions.items())[:10])})
    assert agreement(gold, other).mentions == MarkCounts(10, 11, len(gold.mentions))


def test_only_what_both_have_marked_can_agree() -> None:
    gold = GOLD["sanguo38"]
    half = gold.marked[: len(gold.marked) // 2]
    assert agreement(gold, replace(gold, marked=half)).mentions.recall == 1


@pytest.mark.parametrize("second", SECONDS, ids=lambda gold: gold.name)
def test_two_annotators_read_the_same_text_and_agree(second: GoldChapter) -> None:
    first = GOLD[second.name]
    assert second.text == first.text
    agreed = agreement(first, second)
    assert agreed.mentions.f1 > 0.9
    assert agreed.people.recall > 0.99
    assert agreed.speakers.recall > 0.94


def test_every_chapter_has_two_annotators() -> None:
    assert {gold.name for gold in SECONDS} == set(GOLD)


def test_what_the_resolver_finds() -> None:
    """Floors just below the figures of the quality report."""
    whole = ChineseScore()
    for gold in GOLD.values():
        if gold.split == "test":
            whole += measure(gold, ChineseResolver().annotate(as_book([gold.text])))
    assert whole.main.recall >= 0.95
    assert whole.mentions.f1 >= 0.82
    assert whole.speakers.recall >= 0.77
