"""From headings to chapters: which headings to believe, and where each chapter runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from books.shape.division import Divided, Division
from books.shape.headings import Heading, HeadingKind, heading_of, is_title_line
from books.source import Anchor, Block
from books.types import ChaptersBy

_CONTENTS_GAP_WORDS = 25
"""A heading with no more text than this under it may be an entry of a table of contents."""
_OPENING_WORDS = 250
"""Text before the first heading that is longer than a title page is part of the story."""
_KEYED = (HeadingKind.CHAPTER, HeadingKind.LETTER, HeadingKind.NAMED)


def divide(blocks: Sequence[Block], anchors: Sequence[Anchor] = ()) -> Divided:
    """The chapters in order; none when no heading is believed."""
    candidates = [h for i, block in enumerate(blocks) if (h := heading_of(block, i))]
    headings = _believed(_without_contents(candidates, blocks))
    if not headings:
        return Divided((), ChaptersBy.NONE)
    divisions = _divisions(headings, blocks)
    opening = sum(block.words for block in blocks[: divisions[0].first])
    if opening > _OPENING_WORDS:
        divisions.insert(0, Division("Opening", 0, 0))
    return Divided(tuple(divisions), ChaptersBy.HEADINGS)


def _without_contents(candidates: Sequence[Heading], blocks: Sequence[Block]) -> list[Heading]:
    """Drop the entries of a table of contents: they head nothing, and the real heading comes later."""
    kept = []
    later = Counter(map(_entry, candidates))
    for here, after in _with_next(candidates):
        later[_entry(here)] -= 1
        end = after.block if after else len(blocks)
        words = sum(block.words for block in blocks[here.block + 1 : end])
        if words > _CONTENTS_GAP_WORDS or not later[_entry(here)]:
            kept.append(here)
    return kept


def _entry(heading: Heading) -> tuple[HeadingKind, int | str]:
    return heading.kind, heading.number or heading.title.split()[0].casefold()


def _with_next(headings: Sequence[Heading]) -> Iterator[tuple[Heading, Heading | None]]:
    return zip_longest(headings, headings[1:])


def _believed(headings: Sequence[Heading]) -> list[Heading]:
    """Keyed headings if the book has them, else bare numerals in sequence, else parts alone."""
    keyed = [h for h in headings if h.kind in _KEYED]
    if sum(h.kind is not HeadingKind.NAMED for h in keyed) >= 2:
        return [h for h in headings if h.kind in (*_KEYED, HeadingKind.PART)]
    numerals = _in_sequence([h for h in headings if h.kind is HeadingKind.NUMERAL])
    if len(numerals) >= 2:
        kept = {h.block for h in numerals}
        return [h for h in headings if h.block in kept or h.kind in (HeadingKind.PART, *_KEYED)]
    parts = [h for h in headings if h.kind is HeadingKind.PART]
    return parts if len(parts) >= 2 else keyed


def _in_sequence(numerals: Sequence[Heading]) -> list[Heading]:
    """Numerals that count up by one, or start again from one; a lone 7 in the text is not a chapter."""
    kept: list[Heading] = []
    for heading in numerals:
        expected = {1, (kept[-1].number or 0) + 1} if kept else {1}
        if heading.number in expected:
            kept.append(heading)
    return kept


def _divisions(headings: Sequence[Heading], blocks: Sequence[Block]) -> list[Division]:
    """A part's heading opens the chapter that follows it at once; else it is a chapter itself."""
    divisions: list[Division] = []
    carried: Heading | None = None
    part_title = ""
    for here, after in _with_next(headings):
        title, body = _title(here, after, blocks)
        if here.kind is HeadingKind.PART:
            part_title = title
            words = sum(b.words for b in blocks[body : after.block if after else len(blocks)])
            if after and words <= _CONTENTS_GAP_WORDS:
                carried = here
                continue
            divisions.append(Division(title, here.block, body))
        else:
            full = f"{part_title}, {title}" if part_title else title
            divisions.append(Division(full, carried.block if carried else here.block, body))
        carried = None
    return divisions


def _title(heading: Heading, after: Heading | None, blocks: Sequence[Block]) -> tuple[str, int]:
    body = heading.block + 1
    end = after.block if after else len(blocks)
    bare = len(heading.title.split()) <= 3
    if bare and body < end - 1 and is_title_line(blocks[body]):
        named = " ".join(blocks[body].text.split()).strip("_*= ")
        return f"{heading.title.rstrip('.:')}. {named}", body + 1
    return heading.title, body
