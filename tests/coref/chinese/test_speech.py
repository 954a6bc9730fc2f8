"""The bounds of Chinese speech, and its speakers."""

from __future__ import annotations

import pytest

from coref.chinese.resolver import ChineseResolver
from coref.chinese.segment import segment
from coref.chinese.speech import find_speech
from coref.types import QuoteType
from tests.coref.chinese.gold import chinese


def quotes(text: str) -> list[str]:
    words = segment(chinese(text), lambda _: None)
    return [text[s.start : s.end] for s in find_speech(words)]


@pytest.mark.parametrize("marks", ["“”", "「」", "『』", '""', "‘’", "﹁﹂"])
def test_every_pair_of_marks(marks: str) -> None:
    said = f"{marks[0]}你来了？{marks[1]}"
    assert quotes(f"他说：{said}她点点头。{said}") == [said, said]


def test_marks_inside_marks() -> None:
    assert quotes("她说：「他只说『好』，就走了。」") == ["「他只说『好』，就走了。」"]


def test_words_held_up_with_tongs_are_not_speech() -> None:
    assert quotes("这就是所谓“文明”的样子，别人叫它“进步”罢了。") == []


def test_an_unclosed_quote_ends_with_its_paragraph() -> None:
    assert quotes("他说：“今天不去了。\n\n第二天他还是去了。") == ["“今天不去了。"]


def test_an_unclosed_quote_goes_on_where_the_next_paragraph_opens_one() -> None:
    book = chinese("王大明说：“第一件事。\n\n“第二件事。”\n\n王大明说：“完了。”李小红说：“好。”王大明笑了。")
    found = ChineseResolver().annotate(book)
    assert book.slice(found.quotes[0].span) == "“第一件事。\n\n“第二件事。”"


def test_speech_without_marks_ends_where_the_next_begins() -> None:
    text = "玄德曰：汝是何人？飞曰：吾乃张飞。只见那马飞奔而去。"
    assert quotes(text) == ["汝是何人？", "吾乃张飞。"]


OLD = """第一回　张老汉夜投古店

话说张老汉走进店来，店主李四问道：客官要住店么？张老汉道：我走了一天，要一间房。李四笑道：你来得巧，只剩一间了。

张老汉听了，心中欢喜，谢了李四，自去睡了。次日，李四叫道：张老汉，你起来罢。张老汉应道：我起来了。
"""


def test_the_old_style_has_speakers_and_says_that_it_guesses() -> None:
    book = chinese(OLD)
    found = ChineseResolver().annotate(book)
    names = {c.id: c.name for c in found.characters}
    told = [(book.slice(q.span), names.get(q.speaker or "")) for q in found.quotes]
    assert told == [
        ("客官要住店么？", "李四"),
        ("我走了一天，要一间房。", "张老汉"),
        ("你来得巧，只剩一间了。", "李四"),
        ("张老汉，你起来罢。", "李四"),
        ("我起来了。", "张老汉"),
    ]
    assert all(q.confidence < 0.7 for q in found.quotes)


TURNS = """“你回来了？”陈志明问。

“回来了。”何秀英说。

“路上冷不冷？”

“不冷。”

何秀英把门关上。

“我给你煮面。”她说。陈志明走到窗前，看着她。
"""


def test_turns_pronouns_and_types() -> None:
    book = chinese(TURNS)
    found = ChineseResolver().annotate(book)
    names = {c.id: c.name for c in found.characters}
    assert [names.get(q.speaker or "") for q in found.quotes] == [
        "陈志明",
        "何秀英",
        "陈志明",
        "何秀英",
        "何秀英",
    ]
    assert [q.type for q in found.quotes] == [
        QuoteType.EXPLICIT,
        QuoteType.EXPLICIT,
        QuoteType.IMPLICIT,
        QuoteType.IMPLICIT,
        QuoteType.ANAPHORIC,
    ]
    tagged, turn = found.quotes[0].confidence, found.quotes[2].confidence
    assert tagged > turn > 0


def test_a_speaker_nobody_knows_is_not_guessed_from_turns() -> None:
    book = chinese("陈志明说：“谁？”何秀英说：“我。”\n\n那汉子道：“开门！”\n\n陈志明和何秀英都不作声。")
    found = ChineseResolver().annotate(book)
    assert [q.speaker is None for q in found.quotes] == [False, False, True]
