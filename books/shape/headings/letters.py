"""Novels in letters or diary entries without other headings: a date or a greeting opens each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from books.shape.headings.dates import date_pattern, weekday_pattern
from books.shape.headings.headings import Heading, HeadingKind
from books.shape.headings.titles import tidy
from books.source import Block

_LEAST = 4
_LEAST_BETWEEN = 500
_BY = 0.05
"""The first entry begins within this share of the text …"""
_WITHIN = 0.35
"""… and none is longer than this share."""
_MAX_HEAD = 90
_MAX_LETTERHEAD = 4
_GREETING = re.compile(
    r"(?P<before>[^\n]{0,60}?)(?:My\s+)?(?:(?:own|very|ever|most)\s+)?"
    r"(?:Dear(?:est)?|DEAR(?:EST)?|dear(?:est)?|Darling|Beloved|Honou?red)\b"
    r"(?:[^\n.?]{0,40}|[^\n?]{0,40}[,:])[,:!—-]*\s*$"
)


def entries_of(blocks: Sequence[Block]) -> list[Heading]:
    """Return letters, or else dated entries, if they make up the book from beginning to end."""
    for opens in (_letter, _dated):
        found = [head for index in range(len(blocks)) if (head := opens(blocks, index))]
        found = _apart(found)
        if _make_up(found, blocks):
            return found
    return []


def _apart(found: Sequence[Heading]) -> list[Heading]:
    kept: list[Heading] = []
    for heading in found:
        if not kept or heading.start >= kept[-1].end:
            kept.append(heading)
    return kept


def _make_up(found: Sequence[Heading], blocks: Sequence[Block]) -> bool:
    if len(found) < _LEAST:
        return False
    begin, end = blocks[0].span.start, blocks[-1].span.end
    sizes = [b - a for a, b in pairwise([*(h.start for h in found), end])]
    early = found[0].start - begin <= _BY * (end - begin)
    return early and max(sizes) <= _WITHIN * (end - begin) and median(sizes) >= _LEAST_BETWEEN


def _dated(blocks: Sequence[Block], index: int) -> Heading | None:
    """Match `May 7th.--I love my garden`, `3 May. Bistritz.`, or a date on a line of its own."""
    block = blocks[index]
    text, start = block.within, block.span.start
    line = text[start : min(block.span.end, start + _MAX_HEAD)].split("\n", 1)[0]
    lead = len(line) - len(line.lstrip("_*[( "))
    match = date_pattern().match(line, lead)
    if not match or line[match.end() :].lstrip("_*")[:1] not in (
        "",
        ".",
        ",",
        ":",
        ";",
        "-",
        "—",
        "–",
        " ",
        "]",
    ):
        return None
    rest = line[match.end() :].strip(" _*.,:;-—–])")
    if rest[:1].islower():
        return None
    alone = len(block.span) <= _MAX_HEAD
    return Heading(
        HeadingKind.TITLE, "date", None, tidy(match["date"]), start, block.span.end if alone else start
    )


def _letter(blocks: Sequence[Block], index: int) -> Heading | None:
    """Match a greeting on a line of its own, with the place and date above it."""
    block = blocks[index]
    if len(block.span) > 3 * _MAX_HEAD:
        return _greeted(block)
    match = _GREETING.match(block.lines[-1])
    if not match or not _is_place_or_date(match["before"].strip(), block.text):
        return None
    first = index
    while first and index - first < _MAX_LETTERHEAD and _is_letterhead(blocks[first - 1]):
        first -= 1
    said = [tidy(b.text) for b in blocks[first : index + 1]]
    return Heading(HeadingKind.TITLE, "letter", None, _named(said), blocks[first].span.start, block.span.end)


def _greeted(block: Block) -> Heading | None:
    """Return the greeting on a line above the prose that it opens."""
    text, start = block.within, block.span.start
    stop = text.find("\n", start, block.span.end)
    line = text[start : stop if 0 < stop - start <= _MAX_HEAD else start]
    match = _GREETING.match(line)
    if not match or match["before"].strip():
        return None
    return Heading(HeadingKind.TITLE, "letter", None, tidy(line).rstrip(",:-—"), start, stop)


def _named(said: Sequence[str]) -> str:
    """Return the greeting, and the date if there is one."""
    whole = " ".join(said)
    date = date_pattern().search(whole)
    greeting = said[-1].rstrip(",:-—! ")
    return f"{date['date']}. {greeting}" if date and date["date"] not in greeting else greeting


def _is_place_or_date(before: str, line: str) -> bool:
    """Return whether this may precede a greeting on its line: `New York, Friday. My dear Ann:`."""
    if not before or _is_date(before):
        return True
    return before[0].isupper() and before.endswith(".") and line.endswith(":")


def _is_date(text: str) -> bool:
    return bool(date_pattern().search(text) or weekday_pattern().search(text))


def _is_letterhead(block: Block) -> bool:
    if len(block.span) > _MAX_HEAD:
        return False
    text = block.text
    return _is_date(text) or text.endswith(",")
