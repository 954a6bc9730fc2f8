"""Find the layout of a text: the width it is wrapped at, if any, and what separates its paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from books.shape.body.lines import Line, lines_of, room_needed
from books.types import Span

_SAMPLE = 300
_SAMPLE_LINES = 30
_SLACK = 3
_SPARSE = 25
"""A text with more lines than this between blank lines does not separate paragraphs by blank lines."""
_WRAPPED = 0.4
_WIDEST_WRAP = 120
_WHOLE = 0.8
_DOUBLE_SPACED = 30
_NARROW = 24


@dataclass(frozen=True, slots=True)
class Layout:
    width: int
    """The width that nearly every line fits in."""
    wrapped: bool
    sparse: bool
    double_spaced: bool = False


def layout_of(text: str, spans: Sequence[Span]) -> Layout:
    """Determine the layout from a sample: a hostile file can have a million lines."""
    widths: list[int] = []
    needed: list[int] = []
    whole = 0
    # Only numbers are kept: the lines themselves would take more memory than any other step of reading.
    for span in spans[:: max(1, len(spans) // _SAMPLE)]:
        before: Line | None = None
        for line in islice(lines_of(text, span.start, span.end), _SAMPLE_LINES):
            if before:
                needed.append(room_needed(before, line))
            widths.append(line.indent + len(line.text))
            whole += line.ends_sentence
            before = line
    if not widths:
        return Layout(0, wrapped=False, sparse=False)
    width = _widest(widths)
    total = sum(text.count("\n", s.start, s.end) + 1 for s in spans)
    wrapped = _is_full(needed, width) and width <= _WIDEST_WRAP and whole <= _WHOLE * len(widths)
    return Layout(width, wrapped, total > _SPARSE * len(spans), _is_double_spaced(text, spans, total))


def _widest(widths: list[int]) -> int:
    return sorted(widths)[int(0.95 * (len(widths) - 1))]


def _is_full(needed: Sequence[int], width: int) -> bool:
    """Return whether the width explains most line ends: there was no room for the next word."""
    full = sum(room + _SLACK > width for room in needed)
    return bool(needed) and full >= _WRAPPED * len(needed)


def _is_double_spaced(text: str, spans: Sequence[Span], lines: int) -> bool:
    """Return whether nearly every line stands alone although most sentences continue on the next line."""
    if len(spans) < _DOUBLE_SPACED or lines > 1.1 * len(spans):
        return False
    first = max(0, (len(spans) - _SAMPLE) // 2)
    around = [line for s in spans[first : first + _SAMPLE] for line in lines_of(text, s.start, s.end)]
    width = _widest([len(line.text) for line in around])
    if not _NARROW <= width <= _WIDEST_WRAP:
        return False
    run_on = sum(not a.ends_sentence and not b.opens_sentence for a, b in pairwise(around))
    return run_on > 0.3 * len(around) and _is_full([room_needed(a, b) for a, b in pairwise(around)], width)
