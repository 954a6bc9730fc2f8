"""What websites leave in novels goes, and the novels' own words stay."""

from __future__ import annotations

import pytest

from evaluation.chinese.cleaning import NoiseKind, noise, without
from evaluation.chinese.gold import chapters

STORY = "夜里下了雨。她把门关上，三更时才睡着。"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("本书由某某中文网首发，请勿转载", NoiseKind.ADVERTISEMENT),
        ("（本章未完，请点击下一页继续）", NoiseKind.ADVERTISEMENT),
        ("手机用户请到 m.example.com 阅读。", NoiseKind.ADVERTISEMENT),
        ("ＰＳ：这两天家里有事，大家见谅。", NoiseKind.NOTE),
        ("【作者有话说】谢谢各位。", NoiseKind.NOTE),
        ("作者有话说：谢谢各位。", NoiseKind.NOTE),
        ("快到月底了，大家手里的月票投一下吧！", NoiseKind.NOTE),
        ("今天只有一章，明天恢复更新。", NoiseKind.NOTE),
    ],
)
def test_a_line_that_is_no_part_of_the_story_goes_whole(line: str, kind: NoiseKind) -> None:
    text = f"{STORY}\n\n　　{line}\n\n{STORY}"
    found = noise(text)
    assert [(each.kind, each.text) for each in found] == [(kind, line)]
    assert all(each.span.of(text) == each.text for each in found)
    assert line not in without(text, found)
    assert without(text, found).count(STORY) == 2


def test_an_address_within_a_sentence_goes_alone() -> None:
    text = "他推开了门，(www.example.com)屋里没有人。novel-site.net\n他笑了。"
    assert without(text, noise(text)) == "他推开了门，屋里没有人。\n他笑了。"


def test_classic_chapters_have_nothing_of_the_kind() -> None:
    assert not [each for gold in chapters() for each in noise(gold.text)]
