"""Brackets that are not the author's: captions, footnotes, a transcriber's word, in one block or several."""

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
    """A novel's own brackets, `[aside]` or `[He bows.]`, open with none of the known words."""
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
    """A pattern for each kind of bracket: what begins with one character is found many times faster."""
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
    """Behind the bracket that closes each one: in one pass, for a file may open a million and close none."""
    opened: deque[int] = deque(maxlen=_LONGEST)  # what falls out of it lies too far back to be closed
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
    """A bracket that nobody closed takes no more than the short block that it opens."""
    at = bisect_right(blocks, start, key=lambda block: block.span.start) - 1
    span = blocks[at].span
    return span.end if span.start == start and len(span) <= _UNCLOSED else None
