"""Verse, and prose that looks like it."""

from __future__ import annotations

import pytest

from books.shape.body.blocks import blocks_of
from books.shape.body.kinds import kind_of
from books.source import Block, Role
from books.types import ParagraphKind, Span


def kind(text: str, role: Role = Role.UNKNOWN) -> ParagraphKind:
    (block,) = blocks_of(text, Span(0, len(text)))
    return kind_of(Block(block.within, block.span, role))


@pytest.mark.parametrize(
    "verse",
    [
        "The tide goes out\nThe tide comes in\nAnd nobody is counting",
        "“The harbour light was burning low,\nThe harbour wind was high,\nAnd none on shore would ever know\n"
        "What ship was passing by.”",
        "Of all the harbours on that northern coast\nThe smallest and the greyest was the one\n"
        "That held our boats, and in the autumn gales\nNo sail put out from it nor any came,\n"
        "But lay at anchor till the wind went down.",
        "    the tide goes out\n    and nobody on the whole grey harbour\n    counts\n    or\n    cares",
        "     I had a boat and now have none,\n     Sing ho for the grey of the morning.",
        "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。",
    ],
)
def test_verse(verse: str) -> None:
    assert kind(verse) is ParagraphKind.VERSE


@pytest.mark.parametrize(
    "prose",
    [
        "One line is never verse.",
        "It rained on the harbour all that morning, and the boats stayed in. Nobody\n"
        "came down to the quay but Tom, who had nowhere else to go, and the harbour\n"
        "master, who had.",
        # Three wrapped lines that begin with capitals by chance.
        "“Did you ever hear,” asked Ann as they went down to the quay, “that old\n"
        "Mr. Hand had a brother who went to sea and was never heard of again in\n"
        "Harbour Street?”",
        "Mr. Thomas Hand,\n12 Quay Street,\nNorth Harbour.",
        "BOATS FOR HIRE\nBY THE HOUR\nOR THE DAY",
        "2 pounds of bread\n1 pound of butter\n3 lemons",
        "ARRIVING TONIGHT\nMEET THE BOAT\nTOM",
        "    a quotation that stands in from the margin and is wrapped at\n"
        "    a width of its own, as letters are, so that every line of it\n    is full but the last.",
        "他在海港住了很久很久很久很久很久很久很久很久，从来没\n有出过海。",
    ],
)
def test_prose(prose: str) -> None:
    assert kind(prose) is ParagraphKind.PROSE


def test_replies_under_each_other_are_no_stanza() -> None:
    text = "“Is it raining?”\n“Not yet.”\n“Then come.”"
    assert kind_of(Block(text, Span(0, len(text)))) is ParagraphKind.PROSE


def test_markup_knows_better() -> None:
    assert kind("One line only.", Role.VERSE) is ParagraphKind.VERSE
