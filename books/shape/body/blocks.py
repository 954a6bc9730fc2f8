"""Find blocks: the stretches of a text that its layout separates, before their roles are known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from books.shape.body.layout import Layout, layout_of
from books.shape.body.lines import Line, lines_of, stops_short
from books.source import Block
from books.types import Span

_BLOCK = re.compile(r"\S[^\n\f]*(?:\n[^\S\n\f]*\S[^\n\f]*)*")
_CLUE = re.compile(
    r"\n(?:(?:[^\S\n]{2,}|[\t\u3000])\S"  # an indented line
    r"|(?<=[\"”’'»」』_\s]\n)[^\S\n]*_?[\"“‘'«「『]"  # another speaker after a quotation
    r"|[^\S\n]*[^\w\s\"“”‘’'][^\w\n\"“”‘’']*\n)"  # an ornament
)
_LONG = 120
"""A block with more lines than this may hold several paragraphs in any layout."""
_STOPS_IN = 20
_INDENTED_IN = 40
_AT_ONCE = 20_000
"""Lines processed together: no paragraph is longer, and a file of bare lines stays cheap."""
_VERSE_LINE = 60
_HALF = 0.5
_STANDS_IN = 3


def blocks_of(text: str, within: Span) -> list[Block]:
    """Split the text at blank lines and form feeds, and further wherever its layout says so."""
    spans = [_stripped(match) for match in _BLOCK.finditer(text, within.start, within.end)]
    layout = layout_of(text, spans)
    if layout.double_spaced:
        return [Block(text, span) for span in _joined(text, spans, layout.width)]
    return [Block(text, part) for span in spans for part in _parted(text, span, layout)]


def _stripped(match: re.Match[str]) -> Span:
    return Span(match.start(), match.start() + len(match.group().rstrip()))


def _parted(text: str, span: Span, layout: Layout) -> Iterator[Span]:
    if not _may_part(text, span, layout):
        yield span
        return
    lines = lines_of(text, span.start, span.end)
    while chunk := list(islice(lines, _AT_ONCE)):
        cuts = _cuts(chunk, layout)
        starts = [0, *sorted(cut for cut in cuts if 0 < cut < len(chunk)), len(chunk)]
        for first, after in pairwise(starts):
            yield Span(chunk[first].start, chunk[after - 1].end)


def _may_part(text: str, span: Span, layout: Layout) -> bool:
    """Return whether a block may hold several paragraphs; for most, no look at each line is needed."""
    if text.find("\n", span.start, span.end) < 0:
        return False
    if not layout.wrapped or layout.sparse or _CLUE.search(text, span.start, span.end):
        return True
    return text.count("\n", span.start, span.end) >= _LONG


def _cuts(lines: Sequence[Line], layout: Layout) -> set[int]:
    """Return the lines at which a paragraph begins."""
    cuts = {at for i, line in enumerate(lines) if line.is_ornament for at in (i, i + 1)}
    cuts |= {i for i, line in enumerate(lines) if line.full_width}
    if not layout.wrapped and (layout.width > 2 * _VERSE_LINE or layout.sparse):
        return cuts if _is_verse_like(lines) else set(range(len(lines)))
    authors = _are_the_authors(lines, layout.width) and not layout.sparse
    if not authors or lines[-1].indent < _STANDS_IN:
        cuts |= _where_speakers_change(lines, layout.width)
    if authors:
        return cuts
    indented = _where_indented(lines, layout.width) if layout.wrapped or layout.sparse else set()
    if (layout.sparse or len(lines) >= _LONG) and len(indented) * _INDENTED_IN < len(lines):
        stops = _where_lines_stop(lines, layout.width)
        if layout.sparse or len(stops) * _STOPS_IN >= len(lines):
            return cuts | indented | stops
    return cuts | indented


def _is_verse_like(lines: Sequence[Line]) -> bool:
    ends = sum(line.ends_sentence for line in lines)
    return max(len(line.text) for line in lines) <= _VERSE_LINE and ends <= _HALF * len(lines)


def _are_the_authors(lines: Sequence[Line], width: int) -> bool:
    """Return whether no line end comes from wrapping: verse, an address, a list."""
    return all(stops_short(a, b, width, slack=3) for a, b in pairwise(lines))


def _where_speakers_change(lines: Sequence[Line], width: int) -> set[int]:
    """Split between a quotation that ends well short of the margin and another that begins under it."""
    return {
        i
        for i in range(1, len(lines))
        if lines[i].opens_quote
        and lines[i - 1].ends_quote
        and stops_short(lines[i - 1], lines[i], width, slack=8)
    }


def _where_indented(lines: Sequence[Line], width: int) -> set[int]:
    """Split at indented lines that follow the end of a sentence; a run of indented lines is a quotation."""
    margin = min(line.indent for line in lines)
    inside = [line.indent >= margin + 2 for line in lines]
    cuts: set[int] = set()
    at = 0
    while at < len(lines):
        if not inside[at]:
            at += 1
            continue
        stop = at
        while stop < len(lines) and inside[stop]:
            stop += 1
        # A full line with more lines under it opens a paragraph, whatever line precedes it.
        full = stop < len(lines) and not stops_short(lines[stop - 1], lines[stop], width, slack=3)
        last = stop - 1 if full else stop
        if _is_quotation(lines[at:last]):
            cuts |= {at, last}
        else:
            cuts |= {i for i in range(max(1, at), stop) if _begins(lines[i - 1], lines[i])}
        at = stop
    return cuts


def _is_quotation(run: Sequence[Line]) -> bool:
    """Return whether the lines are verse or an address: they begin like one and do not end like sentences."""
    ends = sum(line.ends_sentence for line in run[:-1])
    opens = sum(line.opens_sentence for line in run)
    return len(run) > 1 and ends < _HALF * (len(run) - 1) and opens > _HALF * len(run)


def _begins(before: Line, line: Line) -> bool:
    return before.ends_sentence and line.opens_sentence


def _where_lines_stop(lines: Sequence[Line], width: int) -> set[int]:
    """Split after a line with room for the next word, if it ends a sentence or is only a heading."""
    return {i for i in range(1, len(lines)) if _stops(lines[i - 1], lines[i], width)}


def _stops(line: Line, following: Line, width: int) -> bool:
    if not following.opens_sentence or not stops_short(line, following, width):
        return False
    return line.ends_sentence or len(line.text) < _HALF * width


def _joined(text: str, spans: Sequence[Span], width: int) -> Iterator[Span]:
    """Join lines when every second one is blank: a wider gap or a short line ends a paragraph."""
    lines = [next(lines_of(text, span.start, span.end)) for span in spans]
    gaps = [text.count("\n", a.end, b.start) for a, b in pairwise(spans)]
    usual = sorted(gaps)[len(gaps) // 2]
    margin = sorted(line.indent for line in lines)[len(lines) // 2]
    first = 0
    for i, gap in enumerate(gaps, start=1):
        apart = gap > usual or lines[i].indent >= margin + 2 or lines[i].text.isupper()
        if apart or lines[i - 1].text.isupper() or _stops(lines[i - 1], lines[i], width):
            yield Span(spans[first].start, spans[i - 1].end)
            first = i
    yield Span(spans[first].start, spans[-1].end)
