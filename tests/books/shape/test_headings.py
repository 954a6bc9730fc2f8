"""The heading that one line claims to be."""

from __future__ import annotations

import pytest

from books.shape.headings.headings import HeadingKind, claim_of, headings_of
from books.source import Block, Role
from books.types import Span

CHAPTER, PART = HeadingKind.CHAPTER, HeadingKind.PART


@pytest.mark.parametrize(
    ("line", "kind", "number"),
    [
        ("Chapter 1", CHAPTER, 1),
        ("CHAPTER TWENTY-ONE", CHAPTER, 21),
        ("Chapter the First", CHAPTER, 1),
        ("CHAPTER THE LAST", CHAPTER, 0),
        ("CHAP. XIV. The Quay", CHAPTER, 14),
        ("_Chapter IV_", CHAPTER, 4),
        ("Chapter One Hundred and Two", CHAPTER, 102),
        ("CHAPTER I—THE START", CHAPTER, 1),
        ("CHAPTER XII IN WHICH IT RAINS", CHAPTER, 12),
        ("PART ONE--The Old Harbour", PART, 1),
        ("CHAPTER I-THE START", CHAPTER, 1),
        ("CHAPTER TWENTY-ONE--RAIN", CHAPTER, 21),
        ("STAVE ONE. The Tide", CHAPTER, 1),
        ("Canto II", CHAPTER, 2),
        ("Letter 4", CHAPTER, 4),
        ("ADVENTURE V. The Bell-Buoy", CHAPTER, 5),
        ("BOOK THE SECOND", PART, 2),
        ("THE THIRD BOOK", PART, 3),
        ("Second Narrative", PART, 2),
        ("Phase the Third: The Flood", PART, 3),
        ("VOLUME II.", PART, 2),
        ("BOOK ONE, CHAPTER II", CHAPTER, 2),
        ("Section 3", HeadingKind.SECTION, 3),
        ("I", HeadingKind.NUMERAL, 1),
        ("[ 12 ]", HeadingKind.NUMERAL, 12),
        ("— III —", HeadingKind.NUMERAL, 3),
        ("4. The Black Boat", HeadingKind.NUMERAL, 4),
        ("01 My Early Home", HeadingKind.NUMERAL, 1),
        ("IV.—The Night", HeadingKind.NUMERAL, 4),
        ("_Twenty-one_", HeadingKind.NUMERAL, 21),
        ("PROLOGUE", HeadingKind.NAMED, None),
        ("Epilogue: The Quay", HeadingKind.NAMED, None),
        ("PREFACE TO THE THIRD EDITION", HeadingKind.NAMED, None),
        ("第一章 春雨", CHAPTER, 1),
        ("第十二回　老渔夫归港 小船工守夜", CHAPTER, 12),
        ("第１０２章", CHAPTER, 102),
        ("【第十二章】归港", CHAPTER, 12),
        ("【第十二章 归港】", CHAPTER, 12),
        ("（第三章）", CHAPTER, 3),
        ("（第三章 归港）", CHAPTER, 3),
        ("（第三章）终南山", CHAPTER, 3),
        ("【第三章 终】", CHAPTER, 3),
        ("第一百零五節 港口", HeadingKind.SECTION, 105),
        ("第二卷 风起", PART, 2),
        ("第二卷 风起 第三章 归港", CHAPTER, 3),
        ("卷三", PART, 3),
        ("楔子", HeadingKind.NAMED, None),
        ("尾声", HeadingKind.NAMED, None),
        ("番外二 赵大牛", HeadingKind.NAMED, None),
        ("番外（3）", HeadingKind.NAMED, None),
        ("（三）", HeadingKind.NUMERAL, 3),
    ],
)
def test_lines_that_head_something(line: str, kind: HeadingKind, number: int | None) -> None:
    claim = claim_of(line)
    assert claim is not None
    assert (claim.kind, claim.number) == (kind, number)


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 3 was burnt by her aunt",
        "Part of the quay was gone",
        "Book two seats on the boat",
        "I said that it was.",
        "I bowed.",
        "Letter in hand, he went out.",
        "chapter and verse",
        "The first day of the week was wet.",
        "Note the tide, and the wind.",
        "Introduction of coal had changed the harbour.",
        "第三章里他说过这件事。",
        "一天，他回来了。",
        "第二天早上下雨了",
        "12, Harbour Row",
        "（第一卷完）",
        "【第一卷 完】",
        "（第三章完）",
        "第三章终",
        "（第三章里他说过这件事）",
        "Notes12",
        "Epilogue3",
    ],
)
def test_sentences_head_nothing(line: str) -> None:
    assert claim_of(line) is None


def block(text: str, role: Role = Role.UNKNOWN) -> Block:
    return Block(text, Span(0, len(text)), role)


def test_lines_of_one_block_can_be_several_headings() -> None:
    found = headings_of([block("BOOK ONE\nCHAPTER I\nThe Tide")])
    assert [(h.kind, h.number) for h in found] == [(PART, 1), (CHAPTER, 1)]
    assert found[1].title == "CHAPTER I The Tide"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("【第十二章】归港", "第十二章 归港"),
        ("【第十二章 归港（上）】", "第十二章 归港（上）"),
        ("（第三章）", "第三章"),
        ("第三章 归港（上）", "第三章 归港（上）"),
    ],
)
def test_a_title_keeps_no_brackets_around_its_number(line: str, title: str) -> None:
    assert [h.title for h in headings_of([block(line)])] == [title]


def test_a_list_of_chapters_in_one_block_heads_nothing() -> None:
    assert headings_of([block("Chapter 1. The Tide\nChapter 2. The Quay\nChapter 3. The Boat")]) == []


def test_prose_under_a_heading_line_is_no_part_of_it() -> None:
    text = "Chapter 4\nIt rained on the harbour all that morning,\nand the boats stayed in."
    (heading,) = headings_of([block(text)])
    assert text[heading.start : heading.end] == "Chapter 4"


def test_prose_on_the_line_of_a_heading_is_no_part_of_it() -> None:
    text = (
        "CHAPTER IV. It rained on the harbour all that morning,\nand the boats stayed in.\n"
        + "It rained. " * 40
    )
    (heading,) = headings_of([block(text)])
    assert (heading.title, heading.start, heading.end) == ("CHAPTER IV", 0, 0)


@pytest.mark.parametrize("role", [Role.CONTENTS, Role.NOTE, Role.CAPTION, Role.ASIDE, Role.PAGE])
def test_what_markup_says_is_something_else_heads_nothing(role: Role) -> None:
    assert headings_of([block("Chapter 1", role)]) == []
