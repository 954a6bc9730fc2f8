"""Find page numbers and running heads, which scans and old transcriptions have in the middle of sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import TypeAlias

from books.shape.frame.brackets import behind_brackets
from books.source import Block
from books.types import Exclusion, Part, Span

_IN_BRACKETS = behind_brackets(
    r"(?:(?P<number>\d{1,4})|\s*+_?(?:p|pg|page)\b\.?\s*+[\divxlc]{1,7}(?:\s*[-–]\s*\d{1,4})?_?\s*+)[\]}]"
)
"""A number that calls itself a page, or a bare number."""
_ALONE = re.compile(
    r"\n[^\S\n]*+(?P<all>[-–—\[({|]{0,2}[^\S\n]*+(?:[Pp](?:age|AGE|g)?\b\.?[^\S\n]*+)?(?P<number>\d{1,4})"
    r"(?:[^\S\n]*+[-–—\])}|]{1,2})?)[^\S\n\f]*+(?=[\n\f]|$)"
)
_HEAD = re.compile(
    r"\n[^\S\n]*(?P<all>(?:\d{1,4}[^\S\n]+)?(?P<name>[A-Z][A-Z .,'’&:-]{2,58}[A-Z.])(?:[^\S\n]+\d{1,4})?)"
    r"[^\S\n]*(?=\n)"
)
_SCAN = re.compile(r"\n[^\S\n]*(?P<all>Digitized by[^\n]{0,40})(?=\n|$)")
_ENDS = (".", "!", "?", "”", '"', "’", "'", ":", "—", "-", "*", "_", "。", "！", "？", "」")
_FEWEST = 8
_SKIPPED = 5
"""This many pages in a row may lack a number: plates, first pages of chapters."""
_PAGE = (400, 9000)
"""Characters on a page."""
_BROKEN = 0.25
"""The minimum share of pages that end in the middle of a sentence."""
_VALUES = 10_000
"""The number of values with at most four digits."""
_Link: TypeAlias = tuple[int, int, int, "_Link | None"]
"""Length of the chain of numbers that ends here, the position of this number, and the previous link."""
_NONE: _Link = (0, 0, 0, None)
_LOOK = 200
_HEAD_AT_MOST = 70


def page_numbers(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """Yield numbers that call themselves pages, and bare ones that increase through the book as pages do."""
    text, start, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    spans = [Span(*m.span("all")) for m in _SCAN.finditer(text, start, end)]
    for pattern in _IN_BRACKETS:
        spans += [Span(*m.span()) for m in pattern.finditer(text, start, end) if m["number"] is None]
        spans += _pages(text, ((m["number"], m.span()) for m in pattern.finditer(text, start, end)))
    lone = _ALONE.finditer(text, max(0, start - 1), end)
    spans += _pages(text, ((m["number"], m.span("all")) for m in lone))
    for span in spans:
        yield Exclusion(span, Part.APPARATUS, "page number")


def running_heads(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """Yield lines in capitals that recur on page after page, in the middle of sentences."""
    text, start, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    heads: defaultdict[str, list[Span]] = defaultdict(list)
    for match in _HEAD.finditer(text, start, end):
        heads[" ".join(match["name"].split())].append(Span(*match.span("all")))
    for spans in heads.values():
        if _are_pages(text, spans):
            for span in spans:
                yield Exclusion(span, Part.APPARATUS, "running head")


def _pages(text: str, numbers: Iterable[tuple[str | None, tuple[int, int]]]) -> list[Span]:
    counted = _counted((int(number), *place) for number, place in numbers if number)
    return counted if _are_pages(text, counted) else []


def _counted(numbers: Iterable[tuple[int, int, int]]) -> list[Span]:
    """Return the longest chain of positioned values that increases with few gaps."""
    reach = _SKIPPED + 1
    longest: list[_Link] = [_NONE] * (reach + _VALUES)
    """by value, offset by how far below 0 a chain can reach"""
    for value, start, end in numbers:
        previous = max(longest[value : value + reach])
        if previous[0] + 1 >= longest[value + reach][0]:
            longest[value + reach] = (previous[0] + 1, start, end, previous)
    spans: list[Span] = []
    link: _Link | None = max(longest)
    while link is not None and link[0]:
        spans.append(Span(link[1], link[2]))
        link = link[3]
    return spans[::-1]


def _are_pages(text: str, spans: Sequence[Span]) -> bool:
    if len(spans) < _FEWEST:
        return False
    nearest, furthest = _PAGE
    if not nearest <= median(b.start - a.start for a, b in pairwise(spans)) <= furthest:
        return False
    broken = sum(_is_broken(text, span) for span in spans)
    return broken >= _BROKEN * len(spans)


def _is_broken(text: str, span: Span) -> bool:
    """Return whether a sentence continues across it, and across another number or head printed with it."""
    before = [*map(str.strip, text[max(0, span.start - _LOOK) : span.start].split("\n"))]
    after = [*map(str.strip, text[span.end : span.end + _LOOK].split("\n"))]
    ends = next((line for line in reversed(before) if line and not _is_furniture(line)), "")
    begins = next((line for line in after if line and not _is_furniture(line)), "")
    return not ends.endswith(_ENDS) and (begins[:1].islower() or begins[:1] >= "\u3400")


def _is_furniture(line: str) -> bool:
    return line.upper() == line and len(line) < _HEAD_AT_MOST
