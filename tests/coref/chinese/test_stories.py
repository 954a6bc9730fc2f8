"""The Chinese resolver on whole short stories. The floors are the results, so that a loss shows."""

from __future__ import annotations

import pytest

from coref.chinese.resolver import ChineseResolver
from coref.types import Annotations
from tests.coref.chinese.gold import Gold, Score, read_gold, score
from tests.coref.laws import assert_lawful

FLOORS = {
    # 136 mentions and 51 quotes; simplified. The tagger of names has been trained on none of the three.
    "ferry": Score(mentions=126, speakers=50, addressees=47, found=136),
    # 40 mentions, quotes not marked; traditional.
    "lantern": Score(mentions=34, speakers=0, addressees=0, found=37),
    # 65 mentions and 23 quotes.
    "shop": Score(mentions=65, speakers=22, addressees=22, found=65),
}


@pytest.fixture(scope="module", params=FLOORS)
def story(request: pytest.FixtureRequest) -> tuple[str, Gold, Annotations]:
    gold = read_gold(request.param)
    return request.param, gold, ChineseResolver().annotate(gold.book)


def test_most_mentions_and_speakers_are_right(story: tuple[str, Gold, Annotations]) -> None:
    name, gold, found = story
    reached, floor = score(gold, found), FLOORS[name]
    assert reached.mentions >= floor.mentions
    assert reached.speakers >= floor.speakers
    assert reached.addressees >= floor.addressees
    assert floor.found <= reached.found <= 1.1 * len(gold.mentions)


def test_laws(story: tuple[str, Gold, Annotations]) -> None:
    _, gold, found = story
    assert_lawful(gold.book, found)


def test_the_cast_of_the_ferry() -> None:
    found = ChineseResolver().annotate(read_gold("ferry").book)
    cast = {c.name: c.pronouns for c in found.characters}
    assert (
        cast.items()
        >= {
            "林秋月": "she/her",
            "周大海": "he/him",
            "许文": "he/him",
            "何志远": "he/him",
            "小梅": "she/her",
            "王奶奶": "she/her",
        }.items()
    )
    assert len(cast) <= 7
    merged = {(m.name, m.other) for m in found.merges}
    assert {("林秋月", "林老师"), ("何志远", "何医生")} <= merged
    assert all(0 < m.confidence < 0.8 and m.evidence for m in found.merges)


def test_traditional_surfaces_are_those_of_the_book() -> None:
    found = ChineseResolver().annotate(read_gold("lantern").book)
    names = {c.name for c in found.characters}
    assert {"沈玉蘭", "方少白", "丁嬸", "老趙"} <= names


def test_a_narrator_who_says_who_he_is() -> None:
    gold = read_gold("shop")
    found = ChineseResolver().annotate(gold.book)
    narrator = found.character(found.narrator or "")
    assert narrator is not None
    assert narrator.name == "陆平"
    assert [t.character for t in found.tellers] == [narrator.id]


def test_quotes_are_less_sure_than_tags_in_english() -> None:
    found = ChineseResolver().annotate(read_gold("ferry").book)
    assert max(q.confidence for q in found.quotes) < 0.9
