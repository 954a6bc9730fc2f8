"""Titles without numbers: known from the table of contents, or from how they stand on the page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from books.shape.headings import Heading, HeadingKind, claim_of
from books.shape.titles import is_capitals, is_title, is_title_case, tidy
from books.source import Block, Role

_MAX_TITLE = 80
_LEAST_TITLES = 3
_LEAST_BETWEEN = 1500
"""Characters between titles that open chapters: half of them head at least so much."""
_MOST = 0.7
"""So many of the lines that look like titles must head something."""
_LEAST_LISTED = 400
"""The same where the contents list the titles."""
_FRONT_SHARE = 0.15
"""A table of contents begins in this first share of the text."""
_PAGE = re.compile(r"[\s.·…_]*(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_CONTENTS = re.compile(r"(?:table of )?contents[.:]?$|目\s*录$|目\s*錄$", re.I)
_LETTERS = re.compile(r"\W+")
_NEVER = frozenset({Role.NOTE, Role.CAPTION, Role.CONTENTS, Role.PAGE, Role.VERSE, Role.TEXT})


def from_contents(blocks: Sequence[Block]) -> list[Heading]:
    """Lines of the table of contents that come again, in the same order, on lines of their own."""
    entries, body = _listed(blocks)
    if len(entries) < _LEAST_TITLES:
        return []
    where: dict[str, list[int]] = {}
    for index, block in enumerate(blocks[body:], start=body):
        if len(block.span) <= 2 * _MAX_TITLE and block.role not in _NEVER:
            where.setdefault(_folded(block.text), []).append(index)
    found: list[int] = []
    for entry in entries:
        places = where.get(entry, [])
        at = bisect_right(places, found[-1]) if found else 0
        found += places[at : at + 1]
    enough = len(found) >= max(_LEAST_TITLES, len(entries) / 2)
    far = enough and _far_apart(found, blocks, _LEAST_LISTED)
    return [_title(blocks[index]) for index in found] if far else []


def _listed(blocks: Sequence[Block]) -> tuple[list[str], int]:
    """The entries of the contents, set apart before the story or still in it, and the block after them."""
    if not blocks:
        return [], 0
    text, reached = blocks[0].within, 0
    front = blocks[0].span.start + _FRONT_SHARE * (blocks[-1].span.end - blocks[0].span.start)
    for index, block in enumerate(blocks):
        if block.span.start > front:
            break
        lines = text[reached : block.span.start].split("\n")
        if any(_CONTENTS.match(line.strip(" _*=#")) for line in lines):
            return list(_entries(lines)), index
        if _CONTENTS.match(block.text.split("\n", 1)[0].strip(" _*=#")):
            return _listed_in(blocks, index)
        reached = block.span.end
    return [], 0


def _listed_in(blocks: Sequence[Block], heading: int) -> tuple[list[str], int]:
    """Up to where prose begins, or the first entry comes again."""
    entries: list[str] = list(_entries(blocks[heading].lines[1:]))
    for index, block in enumerate(blocks[heading + 1 :], start=heading + 1):
        lines = block.lines
        new = list(_entries(lines))
        if max(map(len, lines)) > _MAX_TITLE or (len(lines) == 1 and new and new[0] in entries):
            return entries, index
        if len(lines) > 2 and len(block.span) > 50 * len(lines):
            return entries, index
        entries += new
    return [], 0


def _entries(lines: Sequence[str]) -> Iterator[str]:
    """Folded, without page numbers and without `I.` or `Chapter 1.` before a title."""
    for line in lines:
        bare = _PAGE.sub("", line).strip()
        claim = claim_of(bare)
        entry = _folded(claim.rest if claim and claim.rest else bare)
        if 0 < len(entry) <= _MAX_TITLE and not _CONTENTS.match(entry):
            yield entry


def _folded(line: str) -> str:
    return _LETTERS.sub(" ", line).strip().casefold()


def _title(block: Block) -> Heading:
    return Heading(HeadingKind.TITLE, "", None, tidy(block.text), block.span.start, block.span.end)


def _far_apart(found: Sequence[int], blocks: Sequence[Block], least: int) -> bool:
    ends = [blocks[index].span.start for index in found[1:]] + [blocks[-1].span.end]
    sizes = [end - blocks[index].span.end for index, end in zip(found, ends, strict=True)]
    return median(sizes) >= least


def from_typography(blocks: Sequence[Block]) -> list[Heading]:
    """Short lines in capitals or title case, set off by more blank lines than paragraphs are."""
    gaps = [_blank_lines(one, two) for one, two in zip([None, *blocks], blocks, strict=False)]
    usual = Counter(gaps).most_common(1)[0][0] if gaps else 0
    short = [i for i, block in enumerate(blocks) if _may_title(block)]
    again = Counter(_folded(blocks[i].text) for i in short)
    once = [i for i in short if again[_folded(blocks[i].text)] == 1 and (gaps[i] > usual or i == 0)]
    kinds = (is_capitals, is_title_case)
    best: list[int] = []
    for kind in kinds:
        alike = [i for i in once if kind(blocks[i].text.strip(" _*=").rstrip("."))]
        widest = [i for i in alike if gaps[i] >= _usual_gap(alike, gaps) or i == 0]
        for group in (widest, alike):
            kept = _apart(group, blocks)
            if (
                len(kept) >= _LEAST_TITLES
                and len(kept) >= 0.7 * len(group)
                and _far_apart(kept, blocks, _LEAST_BETWEEN)
            ):
                best = best or kept
    return [_title(blocks[index]) for index in best]


def _usual_gap(indices: Sequence[int], gaps: Sequence[int]) -> int:
    return int(median([gaps[i] for i in indices if i])) if len(indices) > 1 else 0


def _apart(indices: Sequence[int], blocks: Sequence[Block]) -> list[int]:
    """Without those that head nothing, such as the lines of a title page."""
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
    return text.count("\n") <= 1 and len(plain.split()) <= 10 and is_title(plain) and plain[-1:] != ","
