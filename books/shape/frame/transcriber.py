"""Transcribers' notes without a closing bracket: under a heading, or in a box of `+---+`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from books import lists
from books.source import Block
from books.types import Exclusion, Part, Span

_CLUES = ("ranscriber", "RANSCRIBER")
_HEADING = re.compile(
    r"[\W_]{0,200}transcriber['’]?s?['’]?\s+(?:end\s?)?(?:notes?|comments?|remarks?)\b", re.I
)
_BOX = ("+", "|")
_MOST_BLOCKS = 60
_AT_THE_END = 0.9
"""A note that begins after this share of the text runs to its end.

A list of corrections about nothing but words follows it.
"""


def transcribers_notes(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    reached = -1
    for at in _headed(blocks):
        if at <= reached:
            continue
        reached = _last(blocks, at)
        yield Exclusion(
            Span(blocks[at].span.start, blocks[reached].span.end), Part.APPARATUS, "transcriber's note"
        )


def _headed(blocks: Sequence[Block]) -> list[int]:
    text, end = blocks[0].within, blocks[-1].span.end
    found = set()
    for clue in _CLUES:
        place = text.find(clue, blocks[0].span.start, end)
        while place >= 0:
            at = bisect_right(blocks, place, key=lambda block: block.span.start) - 1
            if _HEADING.match(text, blocks[at].span.start, blocks[at].span.end):
                found.add(at)
            place = text.find(clue, max(place + 1, blocks[at].span.end), end)
    return sorted(found)


def _last(blocks: Sequence[Block], first: int) -> int:
    """Return the note's last block."""
    whole = blocks[-1].span.end - blocks[0].span.start
    if blocks[first].span.start - blocks[0].span.start > _AT_THE_END * whole:
        return len(blocks) - 1
    boxed = blocks[first].text.startswith(_BOX)
    last = first
    while last + 1 < len(blocks) and last - first < _MOST_BLOCKS:
        following = blocks[last + 1].text
        if not (following.startswith(_BOX) if boxed else _goes_on(following)):
            break
        last += 1
    return last


def _goes_on(text: str) -> bool:
    said = text.casefold()
    return any(word in said for word in lists.lines("books", "data/transcriber_words.txt"))
