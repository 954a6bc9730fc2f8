"""Find brackets that are not the author's: captions, footnotes, transcribers' notes.

One may extend over several blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache

from books import lists
from books.source import Block
from books.types import Exclusion, Part, Span

_LONGEST = 6000
_UNCLOSED = 300
_BRACKETS = re.compile(r"\[+|\]+")


def bracketed(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """Find bracketed apparatus; a novel's own brackets, `[aside]` or `[He bows.]`, open with other words."""
    text, end = blocks[0].within, blocks[-1].span.end
    reached = blocks[0].span.start
    closings: dict[int, int] | None = None
    for match in _pattern().finditer(text, reached):
        start = match.start()
        if start >= end:
            break
        if start < reached:
            continue
        if closings is None:
            closings = _closings(text, start, end)
        stop = closings.get(start) or _end_of_caption(blocks, start)
        if stop:
            word = " ".join(match["word"].casefold().replace("’", "'").split())
            reason = _reasons().get(word) or _reasons()[word + ":"]
            yield Exclusion(Span(start, stop), Part.APPARATUS, reason)
            reached = stop


def behind_brackets(inside: str) -> tuple[re.Pattern[str], ...]:
    """Return one pattern per kind of bracket, because a fixed first character speeds up the search."""
    return tuple(re.compile(re.escape(bracket) + inside, re.I) for bracket in "[{")


@cache
def _reasons() -> dict[str, str]:
    rows = (row.split(" = ", 1) for row in lists.lines("books", "data/bracket_notes.txt"))
    return {row[0]: row[1] for row in rows}


@cache
def _pattern() -> re.Pattern[str]:
    free = [word for word in _reasons() if not word.endswith(":")]
    colon = [word[:-1] for word in _reasons() if word.endswith(":")]
    said = {
        kind: "|".join(
            re.escape(word).replace("'", "['’]").replace(r"\ ", r"\s+")
            for word in sorted(words, key=len, reverse=True)
        )
        for kind, words in {"free": free, "colon": colon}.items()
    }
    begins = "".join(sorted({re.escape(word[0]) for word in _reasons()}))
    return re.compile(
        rf"\[[\s_*]*+(?=[{begins}])"
        rf"(?P<word>(?:{said['free']})(?=[\s:.,;\]_*—-])|(?:{said['colon']})(?=[\s_*]*+[:\]]))",
        re.I,
    )


def _closings(text: str, start: int, end: int) -> dict[int, int]:
    """Map each opening bracket to the offset behind the one that closes it.

    It takes one pass, because a file may open a million brackets and close none.
    """
    opened: deque[int] = deque(maxlen=_LONGEST)  # brackets that fall out are too far back to be closed
    closings: dict[int, int] = {}
    for brackets in _BRACKETS.finditer(text, start, end):
        first, last = brackets.span()
        if text[first] == "[":
            opened.extend(range(max(first, last - _LONGEST), last))
            continue
        for at in range(first, min(last, first + len(opened))):
            if (begun := opened.pop()) > at - _LONGEST:
                closings[begun] = at + 1
    return closings


def _end_of_caption(blocks: Sequence[Block], start: int) -> int | None:
    """Return the caption's end; an unclosed bracket takes no more than the short block that it opens."""
    at = bisect_right(blocks, start, key=lambda block: block.span.start) - 1
    span = blocks[at].span
    return span.end if span.start == start and len(span) <= _UNCLOSED else None
