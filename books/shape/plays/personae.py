"""The list of a play's characters, which stands before its first act."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from books import lists
from books.shape.plays.labels import is_large, key_of
from books.source import Block
from books.types import Span

_MOST_BLOCKS = 120
_MAX_ENTRY = 200
_MAX_HEADING = 40
_ENTRY = re.compile(r"[_*]*(?P<name>[^\W\d_][^,;:(\[\n—]{1,40}?)[_*]*(?:[,;:(\[—]|--|\.{2}|\.?$|\.\s)")
_SMALL_WORDS = frozenset(("of", "the", "and", "to", "a", "in"))


@dataclass(frozen=True, slots=True)
class Personae:
    names: frozenset[str]
    """Names as label keys; a name of several words also by its last word or by those in capitals."""
    span: Span
    """From the list's heading to its end."""


@cache
def _headings() -> frozenset[str]:
    return frozenset(lists.lines("books", "data/personae_headings.txt"))


def personae(blocks: Sequence[Block], until: int) -> Personae | None:
    """Return the last list of characters before the offset `until`."""
    before = blocks[: bisect_left(blocks, until, key=lambda block: block.span.start)]
    at = next((at for at in range(len(before) - 1, -1, -1) if _is_heading(before[at])), None)
    if at is None:
        return None
    entries = before[at : at + _MOST_BLOCKS]
    names = frozenset(name for entry in entries for line in entry.lines for name in _names(line))
    return Personae(names, Span(before[at].span.start, entries[-1].span.end))


def _is_heading(block: Block) -> bool:
    start = block.span.start
    stop = block.within.find("\n", start, min(block.span.end, start + 2 * _MAX_HEADING))
    end = stop if stop >= 0 else block.span.end
    if end - start > _MAX_HEADING:
        return False
    line = block.within[start:end].strip(" \t_*=:.#—-").replace("’", "'").casefold()
    return line in _headings()


def _names(line: str) -> list[str]:
    """Return the names in an entry: `HAMLET, son of the late King`, `John Worthing, J.P.`, `Duke of Kent`."""
    match = _ENTRY.match(line) if 1 < len(line) <= _MAX_ENTRY else None
    if not match:
        return []
    words = match["name"].split()
    if any(word[0].islower() and word not in _SMALL_WORDS for word in words) and not is_large(match["name"]):
        return []
    large = " ".join(word for word in words if word.isupper())
    names = (match["name"], large, words[0], words[-1])
    return [key for name in names if len(key := key_of(name)) > 1 and key not in _SMALL_WORDS]
