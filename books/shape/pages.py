"""Page numbers and running heads, as scans and old transcriptions have them in the middle of sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from books.shape.brackets import places
from books.source import Block
from books.types import Exclusion, Part, Span

_SAID = re.compile(r"[\[{]\s*_?(?:p|pg|page)\b\.?\s*[\divxlc]{1,7}(?:\s*[-–]\s*\d{1,4})?_?\s*[\]}]", re.I)
_BRACED = re.compile(r"[\[{](?P<number>\d{1,4})[\]}]")
_ALONE = re.compile(
    r"\n[^\S\n]*(?P<all>[-–—\[({|]{0,2}[^\S\n]*(?:[Pp](?:age|AGE|g)?\b\.?[^\S\n]*)?(?P<number>\d{1,4})"
    r"[^\S\n]*[-–—\])}|]{0,2})[^\S\n\f]*(?=[\n\f]|$)"
)
_HEAD = re.compile(
    r"\n[^\S\n]*(?P<all>(?:\d{1,4}[^\S\n]+)?(?P<name>[A-Z][A-Z .,'’&:-]{2,58}[A-Z.])(?:[^\S\n]+\d{1,4})?)"
    r"[^\S\n]*(?=\n)"
)
_SCAN = re.compile(r"\n[^\S\n]*(?P<all>Digitized by[^\n]{0,40})(?=\n|$)")
_ENDS = (".", "!", "?", "”", '"', "’", "'", ":", "—", "-", "*", "_", "。", "！", "？", "」")
_FEWEST = 8
_SKIPPED = 5
"""So many pages may have no number: plates, chapters' first pages."""
_PAGE = (400, 9000)
"""Characters on a page."""
_BROKEN = 0.25
"""The share of pages, at the least, that end in the middle of a sentence."""
_LOOK = 200
_HEAD_AT_MOST = 70


@dataclass(frozen=True, slots=True)
class _Number:
    span: Span
    value: int


def page_numbers(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """Those that call themselves pages, and bare ones that count through the book as pages do."""
    text, start, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    spans = [Span(*m.span("all")) for m in _SCAN.finditer(text, start, end)]
    opened = sorted([*places("[", text, start, end), *places("{", text, start, end)])
    spans += [Span(*m.span()) for at in opened if (m := _SAID.match(text, at, end))]
    braced = [
        _Number(Span(*m.span()), int(m["number"])) for at in opened if (m := _BRACED.match(text, at, end))
    ]
    lone = _ALONE.finditer(text, max(0, start - 1), end)
    for numbers in (braced, [_Number(Span(*m.span("all")), int(m["number"])) for m in lone]):
        counted = [number.span for number in _counted(numbers)]
        if _are_pages(text, counted):
            spans += counted
    for span in spans:
        yield Exclusion(span, Part.APPARATUS, "page number")


def running_heads(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """The same line in capitals on page after page, in the middle of sentences."""
    text, start, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    heads: defaultdict[str, list[Span]] = defaultdict(list)
    for match in _HEAD.finditer(text, start, end):
        heads[" ".join(match["name"].split())].append(Span(*match.span("all")))
    for spans in heads.values():
        if _are_pages(text, spans):
            for span in spans:
                yield Exclusion(span, Part.APPARATUS, "running head")


def _counted(numbers: Sequence[_Number]) -> list[_Number]:
    """The longest chain that counts up, with few gaps."""
    longest: dict[int, tuple[int, int]] = {}
    before: list[int | None] = []
    for at, number in enumerate(numbers):
        steps = range(number.value - 1, number.value - 2 - _SKIPPED, -1)
        length, previous = max((longest[v] for v in steps if v in longest), default=(0, None))
        before.append(previous)
        if length + 1 >= longest.get(number.value, (0, 0))[0]:
            longest[number.value] = (length + 1, at)
    chain: list[_Number] = []
    at_end: int | None = max(longest.values(), default=(0, None))[1]
    while at_end is not None:
        chain.append(numbers[at_end])
        at_end = before[at_end]
    return chain[::-1]


def _are_pages(text: str, spans: Sequence[Span]) -> bool:
    if len(spans) < _FEWEST:
        return False
    nearest, furthest = _PAGE
    if not nearest <= median(b.start - a.start for a, b in pairwise(spans)) <= furthest:
        return False
    broken = sum(_is_broken(text, span) for span in spans)
    return broken >= _BROKEN * len(spans)


def _is_broken(text: str, span: Span) -> bool:
    """Whether a sentence runs on over it, and over another number or head that is printed with it."""
    before = [*map(str.strip, text[max(0, span.start - _LOOK) : span.start].split("\n"))]
    after = [*map(str.strip, text[span.end : span.end + _LOOK].split("\n"))]
    ends = next((line for line in reversed(before) if line and not _is_furniture(line)), "")
    begins = next((line for line in after if line and not _is_furniture(line)), "")
    return not ends.endswith(_ENDS) and (begins[:1].islower() or begins[:1] >= "\u3400")


def _is_furniture(line: str) -> bool:
    return line.upper() == line and len(line) < _HEAD_AT_MOST
