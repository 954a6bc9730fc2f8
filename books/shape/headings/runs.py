"""Turn believed headings into chapters by offsets: parts name their content, titles stand under numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from books.shape.headings.dates import opens_with_date
from books.shape.headings.headings import Heading, HeadingKind
from books.shape.headings.sequence import HOLLOW
from books.shape.headings.titles import is_title, joined
from books.source import Block

_CARRIED = 4 * HOLLOW
"""A part with less text than this before its first chapter, such as a motto, is joined to that chapter."""
_ADJACENT = 12
_MOST_TITLED = 0.6
_LOOSE_TITLE = 120
_LONG_PART = 60
_PROLOGUE = "named"
_INK = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Run:
    """A chapter: heading and text from `start` to `end`."""

    title: str
    start: int
    end: int
    named: str | None = None


def runs_of(marks: Sequence[Heading], headings: Sequence[Heading], blocks: Sequence[Block]) -> list[Run]:
    """Return the chapters.

    A part's heading joins a chapter that follows at once; else it is its own chapter.
    """
    titled = _titled(marks, headings, blocks)
    runs: list[Run] = []
    parts: list[tuple[str, str]] = []
    carried: int | None = None
    for at, (mark, (title, end)) in enumerate(zip(marks, titled, strict=True)):
        after = marks[at + 1] if at + 1 < len(marks) else None
        parts = _parts_at(parts, mark, just_begun=carried is not None)
        if after and _leads(mark, end, after, later=marks[at + 2 :]):
            parts.append((_series(mark), title))
            carried = mark.start if carried is None else carried
            continue
        if mark.kind is HeadingKind.PART:
            full = _full(parts, title)
            parts.append((_series(mark), title))
        else:
            full = title if mark.kind is HeadingKind.NAMED and carried is None else _full(parts, title)
        named = mark.series if mark.kind is HeadingKind.NAMED else None
        runs.append(Run(full, mark.start if carried is None else carried, end, named))
        carried = None
    return runs


def _leads(mark: Heading, end: int, after: Heading, *, later: Sequence[Heading]) -> bool:
    """Return whether a heading has no chapter of its own.

    The numerals below a prologue are its own if the count begins again after it, or if it has no other text.
    """
    if mark.kind is HeadingKind.NAMED:
        own = after.start - mark.end <= _ADJACENT or any(h.number == 1 for h in later)
        return own and after.number == 1 and after.start - end <= HOLLOW and after.kind is HeadingKind.NUMERAL
    room = HOLLOW if after.kind is HeadingKind.PART else _CARRIED
    return mark.kind is HeadingKind.PART and after.start - end <= room


def _parts_at(parts: list[tuple[str, str]], mark: Heading, *, just_begun: bool) -> list[tuple[str, str]]:
    """Return the open parts: a new part ends its kind and all in it, a number one ends a prologue."""
    over: set[str] = set()
    if mark.kind is HeadingKind.PART:
        over = {_series(mark), _PROLOGUE}
    elif mark.kind is HeadingKind.NAMED or (mark.number == 1 and not just_begun):
        over = {_PROLOGUE}
    ends = [at for at, (series, _) in enumerate(parts) if series in over]
    return parts[: ends[0]] if ends else parts


def _series(mark: Heading) -> str:
    if mark.kind is HeadingKind.NAMED:
        return _PROLOGUE
    return mark.series or f"level {mark.level}"


def _full(parts: Sequence[tuple[str, str]], title: str) -> str:
    names = [part for _, part in parts]
    if len(", ".join(names)) > _LONG_PART:
        names = [name.split(". ", 1)[0][:_LONG_PART] for name in names]
    return ", ".join([*names, title])


def _titled(
    marks: Sequence[Heading], headings: Sequence[Heading], blocks: Sequence[Block]
) -> list[tuple[str, int]]:
    """Return each mark's title and its heading's end; doubtful titles count if most chapters have one."""
    starts = [block.span.start for block in blocks]
    numbers = {h.start for h in headings if h.bare and h.number is not None} | {m.start for m in marks}
    below = [_below(mark, starts, numbers, blocks) if mark.bare else None for mark in marks]
    bare = [block for mark, block in zip(marks, below, strict=True) if mark.bare]
    sure = sum(block is not None and is_title(block.text) for block in bare)
    loose = len(bare) >= 3 and sure >= _MOST_TITLED * len(bare)
    titled = []
    for mark, block in zip(marks, below, strict=True):
        if block and (is_title(block.text) or (loose and _may_title(block))):
            titled.append((joined(mark.title, block.text), block.span.end))
        else:
            titled.append((mark.title, mark.end))
    return titled


def _below(mark: Heading, starts: Sequence[int], numbers: set[int], blocks: Sequence[Block]) -> Block | None:
    """Return the block under a heading, unless it is the chapter's only one or itself a heading.

    There is none where the prose follows in the heading's own block.
    """
    at = bisect_left(starts, mark.end)
    if at + 1 >= len(blocks) or starts[at] in numbers:
        return None
    if _INK.search(blocks[at].within, mark.end, starts[at]):
        return None
    lone = starts[at + 1] in numbers and mark.kind not in (HeadingKind.PART, HeadingKind.NAMED)
    return None if lone or opens_with_date(blocks[at].text) else blocks[at]


def _may_title(block: Block) -> bool:
    text = block.text
    return (
        len(text) <= _LOOSE_TITLE
        and text.count("\n") <= 1
        and not text.startswith(("“", '"', "—", "--", "(", "["))
        and not text.endswith((".", ",", ";", ":", "”", '"'))
    )
