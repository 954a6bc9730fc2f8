"""Titles without numbers: found by the table of contents, or by how they stand on the page."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from books.shape.headings.contents import entries, entries_set_apart, folded
from books.shape.headings.dates import opens_with_day
from books.shape.headings.headings import Heading, HeadingKind, claim_of
from books.shape.headings.titles import is_capitals, is_title, is_title_case, tidy
from books.source import Block, Role

_MAX_TITLE = 80
_LEAST_TITLES = 3
_LEAST_BETWEEN = 1500
"""Half of the titles that open chapters have at least this many characters between them."""
_EARLY = 0.1
"""The first title stands within this share of the text."""
_LEAST_LISTED = 400
"""The minimum between titles where the contents list them."""
_NEVER = frozenset({Role.NOTE, Role.CAPTION, Role.ASIDE, Role.CONTENTS, Role.PAGE, Role.VERSE, Role.TEXT})


def from_contents(blocks: Sequence[Block], listed: range | None) -> list[Heading]:
    """Return lines of the table of contents that recur in the same order on lines of their own."""
    inside = [line for block in blocks[listed.start : listed.stop] for line in block.lines] if listed else []
    wanted = list(entries(inside)) or entries_set_apart(blocks)
    if len(wanted) < _LEAST_TITLES:
        return []
    body = listed.stop if listed else 0
    where: dict[str, list[int]] = {}
    for index, block in enumerate(blocks[body:], start=body):
        if len(block.span) <= 2 * _MAX_TITLE and block.role not in _NEVER:
            where.setdefault(folded(block.text), []).append(index)
    found: list[int] = []
    for entry in wanted:
        places = where.get(entry, [])
        at = bisect_right(places, found[-1]) if found else 0
        found += places[at : at + 1]
    enough = len(found) >= max(_LEAST_TITLES, len(wanted) / 2)
    far = enough and _far_apart(found, blocks, _LEAST_LISTED)
    return [_title(blocks[index]) for index in found] if far else []


def _title(block: Block) -> Heading:
    return Heading(HeadingKind.TITLE, "", None, tidy(block.text), block.span.start, block.span.end)


def _far_apart(found: Sequence[int], blocks: Sequence[Block], least: int) -> bool:
    ends = [blocks[index].span.start for index in found[1:]] + [blocks[-1].span.end]
    sizes = [end - blocks[index].span.end for index, end in zip(found, ends, strict=True)]
    return median(sizes) >= least


def from_typography(blocks: Sequence[Block]) -> list[Heading]:
    """Return short lines in capitals or title case with more blank lines around them than paragraphs have."""
    gaps = [_blank_lines(one, two) for one, two in zip([None, *blocks], blocks, strict=False)]
    usual = Counter(gaps).most_common(1)[0][0] if gaps else 0
    short = [i for i, block in enumerate(blocks) if _may_title(block)]
    again = Counter(folded(blocks[i].text) for i in short)
    once = [i for i in short if again[folded(blocks[i].text)] == 1]
    if max(gaps, default=0) > usual:
        once = [i for i in once if gaps[i] > usual or i == 0]
    kinds = (is_capitals, is_title_case)
    best: list[int] = []
    for kind in kinds:
        alike = [i for i in once if kind(blocks[i].text.strip(" _*=").rstrip("."))]
        least = _usual_gap(alike, gaps)
        # The first may stand on the title page, with different space before it.
        first = next(iter(_apart(alike, blocks)), 0)
        widest = [i for i in alike if i == first or (i > first and gaps[i] >= least)]
        for group in (widest, alike):
            kept = _apart(group, blocks)
            if (
                len(kept) >= _LEAST_TITLES
                and len(kept) >= 0.7 * len(group)
                and _far_apart(kept, blocks, _LEAST_BETWEEN)
            ):
                best = best or kept
    return [_title(blocks[index]) for index in best]


def _spread(kept: Sequence[int], blocks: Sequence[Block]) -> bool:
    """Return whether the titles start at the beginning and leave no gap of half the book."""
    begin, end = blocks[0].span.start, blocks[-1].span.end
    starts = [blocks[index].span.start for index in kept]
    longest = max(two - one for one, two in pairwise([*starts, end]))
    return starts[0] - begin <= _EARLY * (end - begin) and 2 * longest <= end - begin


def _usual_gap(indices: Sequence[int], gaps: Sequence[int]) -> int:
    return int(median([gaps[i] for i in indices if i])) if len(indices) > 1 else 0


def _apart(indices: Sequence[int], blocks: Sequence[Block]) -> list[int]:
    """Drop titles without text under them, such as the lines of a title page."""
    ends = [*(blocks[i].span.start for i in indices), blocks[-1].span.end][1:]
    return [i for i, end in zip(indices, ends, strict=True) if end - blocks[i].span.end > _LEAST_BETWEEN / 5]


def _blank_lines(before: Block | None, block: Block) -> int:
    if before is None:
        return 0
    return block.within.count("\n", before.span.end, block.span.start) - 1


def _may_title(block: Block) -> bool:
    if len(block.span) > _MAX_TITLE or block.role in _NEVER:
        return False
    text = block.text
    plain = text.strip(" _*=")
    short = text.count("\n") <= 1 and len(plain.split()) <= 10 and not plain.endswith(",")
    return short and is_title(plain) and not opens_with_day(plain) and not _is_number(plain)


def _is_number(text: str) -> bool:
    """Return whether a block is a bare `IV` or `4`, such as sections and stanzas have below a title."""
    claim = claim_of(text)
    if claim is None or claim.kind is not HeadingKind.NUMERAL or claim.rest:
        return False
    return not claim.series.startswith("words")
