"""Blocks from every layout that people give a text."""

from __future__ import annotations

import time
from textwrap import wrap

import pytest

from books.shape.body.blocks import blocks_of
from books.types import Span

LONG = (
    "It rained on the harbour all that morning, and the boats stayed in. Nobody came down to the quay but"
    " Tom, who had nowhere else to go. He sat on the wall and counted the waves."
)
SHORT = "“Will it stop?” asked Ann when she came down at last to look for him."
LAST = "Nobody could say."
TOLD = [LONG, SHORT, LAST] * 20


def texts(source: str) -> list[str]:
    return [" ".join(block.text.split()) for block in blocks_of(source, Span(0, len(source)))]


def wrapped(first: str = "", after: str = "") -> list[str]:
    return [
        "\n".join(wrap(p, 60, initial_indent=first, subsequent_indent=after, break_on_hyphens=False))
        for p in TOLD
    ]


@pytest.mark.parametrize(
    "source",
    [
        "\n\n".join(TOLD),
        "\n".join(TOLD),
        "\n\n".join(wrapped()),
        "\n \t \n".join(wrapped()),
        "\n\n".join(wrapped("   ")),
        "\n".join(wrapped("   ")),
        "\n".join(wrapped("\t")),
        "\n".join(wrapped("", "")),
        "   \n".join(wrapped("  ")),
        # Blank lines at random between paragraphs of one line each.
        "".join(p + ("\n\n" if i % 3 else "\n") for i, p in enumerate(TOLD)),
        # Blank lines between some paragraphs, indents between the others.
        "".join(p + ("\n\n" if i % 4 else "\n") for i, p in enumerate(wrapped("    "))),
        # Every second line is blank.
        "\n\n".join("\n\n".join(p.split("\n")) for p in wrapped()),
        "\n\n\n".join("\n\n".join(p.split("\n")) for p in wrapped()),
    ],
    ids=[
        "one line each, blank lines", "one line each", "wrapped, blank lines", "blank lines with blanks",
        "wrapped, indented, blank lines", "wrapped, indented", "wrapped, tabs", "wrapped, nothing else",
        "trailing blanks", "blank lines at random", "mixed", "double-spaced", "double-spaced with wider gaps",
    ],
)  # fmt: skip
def test_paragraphs_are_found_however_they_are_set(source: str) -> None:
    assert texts(source) == TOLD


CHINESE = [
    "　　第一天下了一整天的雨，船都没有出海，码头上一个人也没有，只有他还坐在墙上数着海浪，数到天黑。",
    "　　“雨会停吗？”她问。",
    "　　谁也说不上来。",
] * 12


@pytest.mark.parametrize(
    "source",
    [
        "\n".join(CHINESE),
        "\n".join(p.strip() for p in CHINESE),
        "\n".join("\n".join(p[i : i + 20] for i in range(0, len(p), 20)) for p in CHINESE),
        "\n\n".join("\n".join(p[i : i + 20] for i in range(0, len(p), 20)) for p in CHINESE),
    ],
    ids=["indented", "one line each", "wrapped and indented", "wrapped, blank lines"],
)
def test_chinese_paragraphs(source: str) -> None:
    said = [block.replace(" ", "") for block in texts(source)]
    assert said == [p.strip() for p in CHINESE]


def test_a_stanza_is_one_block_and_stays_whole() -> None:
    stanza = "The tide goes out.\n    The tide comes in.\nAnd nobody is counting\n    What it brings."
    source = "\n\n".join([*wrapped(), stanza])
    assert blocks_of(source, Span(0, len(source)))[-1].text == stanza


def test_verse_inside_a_paragraph_is_a_block_of_its_own() -> None:
    told = "He sang as he went along the wall of the old harbour, and\nnobody minded:\n"
    verse = "    The tide goes out\n    The tide comes in"
    after = "Then he sat down again and looked for a long time at what\nthe sea had left there."
    found = texts("\n\n".join([*wrapped(), told + verse + "\n" + after]))
    assert found[-3:] == [" ".join(part.split()) for part in (told, verse, after)]


def test_replies_that_stop_well_short_are_paragraphs_and_a_running_one_is_not() -> None:
    replies = "“Is it raining?”\n“Not yet.”"
    running = "“It will rain before the evening, and then we shall see,” he\nsaid. “Come in.”"
    found = texts("\n\n".join([*wrapped(), replies, running]))
    assert found[-3:] == ["“Is it raining?”", "“Not yet.”", " ".join(running.split())]


def test_an_ornament_and_a_form_feed_part_what_no_blank_line_does() -> None:
    broken = "The boats stayed in that day.\n* * *\nIn the morning they were gone.\fChapter 2"
    assert texts("\n\n".join([*wrapped(), broken]))[-4:] == [
        "The boats stayed in that day.",
        "* * *",
        "In the morning they were gone.",
        "Chapter 2",
    ]


def test_a_very_long_paragraph_stays_one() -> None:
    monologue = "\n".join(wrap("yes and then he asked me and I thought as well him as another " * 300, 70))
    assert len(texts("\n\n".join([*wrapped(), monologue]))) == len(TOLD) + 1


def test_only_what_lies_within_is_read() -> None:
    assert [b.text for b in blocks_of("before\n\ninside\n\nafter", Span(8, 14))] == ["inside"]


@pytest.mark.parametrize(
    "hostile",
    [
        "word " * 400_000,
        "\n" * 1_000_000,
        "a\n" * 100_000,
        "   a\n" * 100_000,
        "“A.”\n" * 50_000,
        "* \n" * 50_000,
    ],
)
def test_time_grows_with_the_length_only(hostile: str) -> None:
    began = time.process_time()
    blocks_of(hostile, Span(0, len(hostile)))
    assert time.process_time() - began < 5


def test_a_full_width_blank_opens_a_paragraph_in_any_layout() -> None:
    said = "　　雨下了整整一个早晨，船都停在港口里，没有人出海，也没有人说话。" * 3
    text = "\n\n".join(f"第{n}回\n\n" + "\n".join([said] * 4) for n in "一二三")
    assert len(blocks_of(text, Span(0, len(text)))) == 3 * 5
