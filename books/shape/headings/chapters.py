"""Turn headings into chapters: which evidence to believe, and where each chapter begins and ends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from books.shape.headings.anchors import headings_at
from books.shape.headings.believed import (
    Series,
    carried_parts,
    divided_by,
    extended,
    gaps_told,
    leading_parts,
    named_of,
    parts_of,
    series_of,
    without_prologue,
)
from books.shape.headings.contents import contents_at, folded
from books.shape.headings.division import Divided, Division, parted_at
from books.shape.headings.headings import RUN_IN, Heading, HeadingKind, headings_of, named_places
from books.shape.headings.letters import entries_of
from books.shape.headings.outline import outline
from books.shape.headings.runs import Run, runs_of
from books.shape.headings.standalone import from_contents, from_typography
from books.shape.headings.titles import is_title, joined
from books.source import Anchor, Block, Role
from books.types import ChaptersBy, count_words

_OPENING_WORDS = 250
"""Text before the first heading that is longer than a title page is part of the story."""
_LARGE_OPENING = 0.3
"""Text before the first heading that is a larger share of the book is story, however short its paragraphs."""
_PROSE = 150
"""A shorter block is a line of a title page, or of what a Chinese novel is advertised with."""
_PROSE_LINE = 50
_ADJACENT = 12
_MORE_ENTRIES = 5
"""With this many letters or dated entries per title, the titles are parts of letters."""
_SHORT_LINE = 6
_CLOSING = ".)]”’\"'"
_EARLY = 0.1
_LATE = 0.7


def divide(blocks: Sequence[Block], anchors: Sequence[Anchor] = (), *, whole: bool = False) -> Divided:
    """Return the chapters in order, or none when no heading is believed. `whole` blocks are never split."""
    if not blocks:
        return Divided((), ChaptersBy.NONE)
    listed = contents_at(blocks)
    headings = _outside(headings_of(blocks), blocks, listed)
    marks = _from_headings(headings, blocks, listed)
    by = ChaptersBy.HEADINGS
    pointed = outline(headings_at(anchors, blocks), blocks[-1].span.end) if anchors else []
    pointed = _as_printed(pointed, headings)
    if pointed and _as_rich(pointed, marks):
        marks, by = pointed, ChaptersBy.CONTENTS
    if not marks:
        return Divided((), ChaptersBy.NONE)
    runs = runs_of(marks, headings, blocks)
    parted, divisions = _counted(runs, blocks, whole=whole)
    opening = parted[listed.stop if listed else 0 : divisions[0].first]
    whole_size = sum(len(block.span) for block in parted)
    if _is_story(opening) or sum(len(b.span) for b in opening) > _LARGE_OPENING * whole_size:
        divisions.insert(0, Division("Opening", 0, 0))
    cut = None if len(parted) == len(blocks) else tuple(parted)
    return Divided(tuple(divisions), by, cut, gaps_told(marks))


def _as_printed(pointed: Sequence[Heading], headings: Sequence[Heading]) -> list[Heading]:
    """Restore printed titles: contents often shorten `CHAPTER I. The Tide` to `CHAPTER I` or `The Tide`."""
    printed = {heading.start: heading for heading in _with_marked_titles(headings)}
    fuller = []
    for mark in pointed:
        here = printed.get(mark.start)
        if here and len(here.title) > len(mark.title) and folded(here.title).startswith(folded(mark.title)):
            mark = replace(mark, title=here.title, end=max(mark.end, here.end), bare=here.bare)
        elif here and here.number and mark.kind is HeadingKind.TITLE and mark.end > mark.start:
            title = joined(here.title, mark.title) if here.bare else here.title
            mark = replace(mark, title=title, end=max(mark.end, here.end))
        fuller.append(mark)
    return fuller


def _outside(headings: Sequence[Heading], blocks: Sequence[Block], listed: range | None) -> list[Heading]:
    """Drop the entries of a table of contents."""
    if not listed:
        return list(headings)
    begin, end = blocks[listed.start].span.start, blocks[listed.stop - 1].span.end
    return [h for h in headings if not begin <= h.start < end]


def _as_rich(pointed: Sequence[Heading], marks: Sequence[Heading]) -> bool:
    """Return whether the contents list as much as the headings in the text do.

    Contents that list only files list less.
    """
    numbered = [h for h in marks if h.kind is HeadingKind.CHAPTER]
    return len(numbered) < 3 or 2 * len(pointed) >= len(marks)


def _from_headings(
    headings: Sequence[Heading], blocks: Sequence[Block], listed: range | None
) -> list[Heading]:
    plain = _plain([h for h in headings if h.kind is not HeadingKind.TITLE], blocks, listed)
    if not any(h.level for h in headings):
        return plain
    marked = outline(_with_marked_titles(headings), blocks[-1].span.end)
    chapters = [h for h in plain if h.kind is HeadingKind.CHAPTER]
    opened = sum(h.kind is not HeadingKind.PART for h in marked)
    if not marked or (len(chapters) >= 3 and 2 * opened < len(chapters)):
        return plain
    return marked


def _with_marked_titles(headings: Sequence[Heading]) -> list[Heading]:
    """Join `CHAPTER I` and a heading directly below it, `The Tide`, into one heading."""
    merged: list[Heading] = []
    for heading in headings:
        last = merged[-1] if merged else None
        if (
            last
            and last.level
            and last.bare
            and (heading.kind in (HeadingKind.TITLE, HeadingKind.NAMED) or _titles_below(heading))
            and heading.start - last.end <= _ADJACENT
            and (last.kind is not HeadingKind.PART or last.level == heading.level)
        ):
            title = joined(last.title, heading.title)
            merged[-1] = replace(last, title=title, end=heading.end, bare=False)
        else:
            merged.append(heading)
    return merged


def _titles_below(heading: Heading) -> bool:
    """Return whether a numeral may be part of a title: `I MEET THE CAPTAIN` begins with no number."""
    return heading.kind is HeadingKind.NUMERAL and not heading.bare


def _plain(headings: Sequence[Heading], blocks: Sequence[Block], listed: range | None) -> list[Heading]:
    """Return headings by word if the book has them, else numerals, else titles, else parts, else letters."""
    begin, end = blocks[0].span.start, blocks[-1].span.end
    parts = parts_of(headings, end)
    found = series_of(headings, [p.start for p in parts], end)
    main = divided_by(found, begin, end)
    main = main and without_prologue(main, headings)
    if main and main.headings[0].kind is HeadingKind.NUMERAL and main.restarts > 1:
        titles = _titles(blocks, listed)
        if len(titles) > main.restarts:
            return _with_rest(titles, parts, headings, blocks)
    if main:
        chosen = extended(main, headings, found, end)
        outer = _outer(main, found)
        return _with_rest(chosen, [*parts, *outer], headings, blocks)
    titles = _titles(blocks, listed)
    if len(titles) > len(parts) or (titles and len(parts) < 2):
        return _with_rest(titles, parts, headings, blocks)
    if len(parts) >= 2:
        return _with_rest([], parts, headings, blocks)
    return _sections(found) or _lone(headings, blocks)


def _titles(blocks: Sequence[Block], listed: range | None) -> list[Heading]:
    titles = from_contents(blocks, listed)
    if titles:
        return titles
    titles, entries = from_typography(blocks), entries_of(blocks)
    return entries if len(entries) > _MORE_ENTRIES * len(titles) else titles


def _sections(found: dict[str, Series]) -> list[Heading]:
    able = [s for s in found.values() if s.headings[0].kind is HeadingKind.SECTION]
    best = max(able, key=lambda series: series.solid, default=None)
    return list(best.headings) if best else []


def _lone(headings: Sequence[Heading], blocks: Sequence[Block]) -> list[Heading]:
    """Return a first chapter that has no second, a chapter by itself, or what follows a story."""
    places = named_places()
    begin = blocks[0].span.start
    length = blocks[-1].span.end - begin
    numbered = [h for h in headings if h.kind is HeadingKind.CHAPTER]
    alone = len(numbered) == 1
    able = [h for h in numbered if h.number == 1 or (alone and _opens(h, blocks))]
    first = [h for h in able if h.start - begin <= _EARLY * length][:1]
    named = [h for h in headings if h.kind is HeadingKind.NAMED and places.get(h.series) != "front"]
    return first + [h for h in named if h.start - begin >= _LATE * length]


def _opens(heading: Heading, blocks: Sequence[Block]) -> bool:
    """Return whether a heading, on lines of its own, has at most a title page before it, and no prose."""
    before = (b.text for b in takewhile(lambda block: block.span.start < heading.start, blocks))
    return not heading.series.endswith(RUN_IN) and all(is_title(t) or _is_no_prose(t) for t in before)


def _is_no_prose(text: str) -> bool:
    """Return whether a block has no sentence's end, or is as short as `JOHN SMITH & CO.` on a title page."""
    ends = text.rstrip(_CLOSING) if len(text.split()) <= _SHORT_LINE else text
    return ends[-1:].isalnum()


def _outer(main: Series, found: dict[str, Series]) -> list[Heading]:
    """Return a second series of numerals that counts parts: a chapter's numeral follows each at once."""
    if main.headings[0].kind is not HeadingKind.NUMERAL:
        return []
    starts = main.starts
    outer: list[Heading] = []
    for series in found.values():
        if series is main or series.headings[0].kind is not HeadingKind.NUMERAL:
            continue
        nexts = [bisect_left(starts, h.end) for h in series.headings]
        pairs = zip(nexts, series.headings, strict=True)
        if all(at < len(starts) and starts[at] - h.end <= _ADJACENT for at, h in pairs):
            outer += [replace(h, kind=HeadingKind.PART) for h in series.headings]
    return outer


def _with_rest(
    chosen: Sequence[Heading], parts: Sequence[Heading], headings: Sequence[Heading], blocks: Sequence[Block]
) -> list[Heading]:
    """Return the chapters with the parts that hold them and the sections known by name."""
    parts = leading_parts(parts, chosen) if chosen else parts
    marks = sorted({h.start: h for h in [*parts, *chosen]}.values(), key=lambda h: h.start)
    marks = sorted([*marks, *carried_parts(headings, marks)], key=lambda h: h.start)
    every = [*named_of(headings, marks, blocks), *marks]
    return sorted({h.start: h for h in every}.values(), key=lambda h: h.start)


def _counted(
    runs: Sequence[Run], blocks: Sequence[Block], *, whole: bool
) -> tuple[list[Block], list[Division]]:
    """Convert offsets to block indices; a heading inside a block splits it."""
    cuts = sorted({cut for run in runs for cut in (run.start, run.end)})
    parted = list(blocks) if whole else list(parted_at(cuts, blocks))
    starts = [block.span.start for block in parted]
    firsts = [bisect_left(starts, run.start) for run in runs]
    kept = [at for at, (one, two) in enumerate(pairwise([*firsts, len(parted)])) if one < two]
    divisions = []
    for at in kept:
        body = max(firsts[at], bisect_left(starts, runs[at].end))
        divisions.append(Division(runs[at].title, firsts[at], body, runs[at].named))
    return parted, divisions


def _is_story(blocks: Sequence[Block]) -> bool:
    """Return whether there are paragraphs of some length, and not only a title page or a list."""
    words = 0
    for block in blocks:
        if len(block.span) < _PROSE or block.role in (Role.FRONT, Role.HEADING):
            continue
        lines = block.text.count("\n") + 1
        if lines < 4 or len(block.span) > _PROSE_LINE * lines:
            words += count_words(block.text)
        if words > _OPENING_WORDS:
            return True
    return False
