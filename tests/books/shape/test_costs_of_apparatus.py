"""The cost of searching for notes and page numbers in a file full of their beginnings."""

from __future__ import annotations

import time

import pytest

from books.shape.body.blocks import blocks_of
from books.shape.frame.apparatus import set_apart
from books.types import Span

SIZE = 2_000_000
SECONDS = 2.5


@pytest.mark.parametrize(
    "repeated",
    [
        *("[", "[{", "[1] ", "[note "),
        *(pytest.param(each, marks=pytest.mark.soak) for each in ("{", "[]", "{1} ", "[1] [2] [3] ")),
    ],
)
def test_brackets_by_the_million_take_seconds(repeated: str) -> None:
    assert _seconds("It rained. " + repeated * (SIZE // len(repeated))) < SECONDS


@pytest.mark.parametrize(
    "before",
    [
        *("", "12", "Page", "["),
        *(pytest.param(each, marks=pytest.mark.soak) for each in ("- 12", "AB", "[p")),
    ],
)
def test_a_line_of_spaces_takes_no_more_than_another(before: str) -> None:
    assert _seconds(f"It rained\n{before}{' ' * SIZE}x\nall day.") < SECONDS


def _seconds(text: str) -> float:
    blocks = blocks_of(text, Span(0, len(text)))
    start = time.process_time()
    kept, _ = set_apart(blocks)
    assert kept
    return time.process_time() - start
