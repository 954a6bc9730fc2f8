"""Find chapters by heading level, for headings that are marked up or listed in the contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from books.shape.headings.believed import Series, series_of, worded_of
from books.shape.headings.headings import Heading, HeadingKind
from books.shape.headings.sequence import HOLLOW

_LEVELS = 10
"""Deeper levels hold no chapters."""
_LEAST_UNNAMED = 600
"""Minimum characters under a heading without a number among numbered chapters."""


def outline(headings: Sequence[Heading], end: int) -> list[Heading]:
    """Return the headings that open parts and chapters, as `PART` and others.

    The result is empty when the levels do not decide.
    """
    headings = [h for h in headings if h.level]
    if len(headings) < 2:
        return []
    sizes = [after.start - here.end for here, after in pairwise(headings)] + [end - headings[-1].end]
    parts = [h.start for h in headings if h.kind is HeadingKind.PART]
    worded = worded_of(series_of(headings, parts, end))
    level = _level(headings, sizes, worded)
    if not level:
        return []
    marks = [
        mark
        for at, (heading, size) in enumerate(zip(headings, sizes, strict=True))
        if (mark := _mark(heading, size, level, worded, headings[at + 1 : at + 2]))
    ]
    return _without_book_title(marks, level)


def _level(headings: Sequence[Heading], sizes: Sequence[int], worded: Series | None) -> int | None:
    """Return the level of the chapters in sequence.

    Without a sequence, it is the topmost level with at least two headings that have text.
    """
    if worded:
        return Counter(h.level for h in worded.headings).most_common(1)[0][0]
    for level in sorted({h.level for h in headings})[:_LEVELS]:
        own = [size for h, size in zip(headings, sizes, strict=True) if h.level == level and not _is_part(h)]
        solid = sum(size > HOLLOW for size in own)
        if solid >= 2 and 2 * solid >= len(own):
            return level
    parts = [size for h, size in zip(headings, sizes, strict=True) if _is_part(h) and size > HOLLOW]
    return min(h.level for h in headings if _is_part(h)) if len(parts) >= 2 else None


def _is_part(heading: Heading) -> bool:
    return heading.kind is HeadingKind.PART


def _mark(
    heading: Heading, size: int, level: int, worded: Series | None, after: Sequence[Heading]
) -> Heading | None:
    """Return the heading in its role at its level, or None if it opens nothing."""
    hollow = size <= HOLLOW
    if heading.level > level:
        named = heading.kind is HeadingKind.NAMED and not hollow and worded is not None
        return heading if named else None
    if heading.level < level:
        leads = bool(after) and after[0].level >= heading.level
        if leads and heading.kind is HeadingKind.NAMED and after[0].level == heading.level:
            return heading  # `Dedication`, `Also by …`: what is beside it is not inside it
        if hollow:
            return replace(heading, kind=HeadingKind.PART) if leads else None
        return heading
    if heading.kind is HeadingKind.TITLE:
        return None if size <= (_LEAST_UNNAMED if worded else HOLLOW) else heading
    if heading.kind is HeadingKind.NUMERAL and hollow:
        leads = bool(after) and after[0].kind is HeadingKind.NUMERAL and after[0].series != heading.series
        return None if worded else replace(heading, kind=HeadingKind.PART) if leads else heading
    return heading


def _without_book_title(marks: Sequence[Heading], level: int) -> list[Heading]:
    """Drop a single heading above all others and before the first of them: it is the book's title."""
    above = [mark.level for mark in marks if mark.level < level]
    first = marks[0] if marks else None
    if first and first.kind is HeadingKind.PART and not first.series and above.count(first.level) == 1:
        return list(marks[1:])
    return list(marks)
