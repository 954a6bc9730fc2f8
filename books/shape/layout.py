"""How a text is set: wrapped at a width or not, its paragraphs parted by blank lines or otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from books.shape.lines import Line, lines_of, stops_short
from books.types import Span

_SAMPLE = 400
_SAMPLE_LINES = 60
_SPARSE = 25
"""A text with more lines than this between blank ones does not part its paragraphs by blank lines."""
_WRAPPED = 0.4
_WIDEST_WRAP = 120
_WHOLE = 0.8
_DOUBLE_SPACED = 30
_NARROW = 24


@dataclass(frozen=True, slots=True)
class Layout:
    width: int
    """What nearly every line keeps within."""
    wrapped: bool
    sparse: bool
    double_spaced: bool = False


def layout_of(text: str, spans: Sequence[Span]) -> Layout:
    """Judged by a sample: a hostile file can have a million lines."""
    sample = _sample(spans)
    widths = sorted(line.indent + len(line.text) for s in sample for line in _lines(text, s))
    if not widths:
        return Layout(0, wrapped=False, sparse=False)
    width = widths[int(0.95 * (len(widths) - 1))]
    # The lines are gone over twice: held, they would be the most that reading a book holds.
    wrapped = _full((pair for s in sample for pair in pairwise(_lines(text, s))), width) >= _WRAPPED
    total = sum(text.count("\n", s.start, s.end) + 1 for s in spans)
    return Layout(
        width,
        wrapped=wrapped and width <= _WIDEST_WRAP and not _are_whole(text, sample),
        sparse=total > _SPARSE * len(spans),
        double_spaced=_is_double_spaced(text, spans, total),
    )


def _sample(spans: Sequence[Span]) -> Sequence[Span]:
    return spans[:: max(1, len(spans) // _SAMPLE)]


def _lines(text: str, span: Span) -> Iterator[Line]:
    return islice(lines_of(text, span.start, span.end), _SAMPLE_LINES)


def _are_whole(text: str, sample: Sequence[Span]) -> bool:
    """Nearly every line ends a sentence, so that a line is a paragraph."""
    lines = [line.ends_sentence for span in sample for line in _lines(text, span)]
    return sum(lines) > _WHOLE * len(lines)


def _full(pairs: Iterator[tuple[Line, Line]], width: int) -> float:
    """The share of line ends that the width explains."""
    full = count = 0
    for line, following in pairs:
        count += 1
        full += not stops_short(line, following, width, slack=3)
    return full / count if count else 0.0


def _is_double_spaced(text: str, spans: Sequence[Span], lines: int) -> bool:
    """Nearly every line stands alone, and yet most run on to the next one."""
    if len(spans) < _DOUBLE_SPACED or lines > 1.1 * len(spans):
        return False
    first = max(0, (len(spans) - _SAMPLE) // 2)
    around = [line for s in spans[first : first + _SAMPLE] for line in lines_of(text, s.start, s.end)]
    widths = sorted(len(line.text) for line in around)
    width = widths[int(0.95 * (len(widths) - 1))]
    if not _NARROW <= width <= _WIDEST_WRAP:
        return False
    run_on = sum(not a.ends_sentence and not b.opens_sentence for a, b in pairwise(around))
    return run_on > 0.3 * len(around) and _full(pairwise(around), width) >= _WRAPPED
