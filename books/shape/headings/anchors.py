"""Turn a source's own table of contents into headings: where each entry points, and what stands there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from books.shape.headings.contents import folded
from books.shape.headings.headings import Heading, HeadingKind, claim_of
from books.shape.headings.titles import tidy
from books.source import Anchor, Block, Role

_NO_TITLE = re.compile(
    r"(?:section|part|split|index|file|page|text|body|content|untitled|unknown|start|ch|chap|id)?"
    r"[\s_-]*\d*(?:\.x?html?)?|.*\.x?html?",
    re.I,
)
_MAX_HEADING_BLOCKS = 3
_MAX_HEADING = 300


def headings_at(anchors: Sequence[Anchor], blocks: Sequence[Block]) -> list[Heading]:
    """Return the headings of each place that titled entries point to, one for each depth."""
    if not blocks:
        return []
    starts = [block.span.start for block in blocks]
    end = blocks[-1].span.end
    placed: dict[int, list[Anchor]] = {}
    for anchor in sorted(anchors, key=lambda a: (a.offset, a.depth)):
        if anchor.offset < end and anchor.title.strip():
            at = bisect_left(starts, anchor.offset)
            if at and anchor.offset < blocks[at - 1].span.end and anchor.offset > starts[at - 1]:
                at -= 1
            if at < len(blocks):
                placed.setdefault(at, []).append(anchor)
    found: list[Heading] = []
    places = sorted(placed)
    for at, following in zip(places, [*places[1:], len(blocks)], strict=True):
        found += _headings(placed[at], blocks[at : min(following, at + _MAX_HEADING_BLOCKS)])
    named = sum(not _NO_TITLE.fullmatch(h.title) or claim_of(h.title) is not None for h in found)
    return found if len(found) >= 2 and 2 * named > len(found) else []


def _headings(anchors: Sequence[Anchor], blocks: Sequence[Block]) -> list[Heading]:
    """Return headings for the entries of one place, such as a part and its first chapter.

    At equal depth the last entry counts. `blocks` are the candidates for their heading.
    """
    by_depth = {anchor.depth: anchor for anchor in anchors}
    deepest = max(by_depth)
    start = blocks[0].span.start
    found = [_heading(by_depth[depth], start, start) for depth in sorted(by_depth) if depth != deepest]
    return [*found, _heading(by_depth[deepest], start, _end(anchors, blocks))]


def _heading(anchor: Anchor, start: int, end: int) -> Heading:
    title = tidy(anchor.title)
    claim = claim_of(title)
    if claim is None:
        return Heading(HeadingKind.TITLE, "", None, title, start, end, anchor.depth + 1)
    bare = not claim.rest
    return Heading(claim.kind, claim.series, claim.number, title, start, end, anchor.depth + 1, bare)


def _end(anchors: Sequence[Anchor], blocks: Sequence[Block]) -> int:
    """Return the end of the blocks that repeat the entry or are marked up as headings."""
    said = " ".join(folded(anchor.title) for anchor in anchors)
    end = blocks[0].span.start
    for block in blocks:
        if len(block.span) > _MAX_HEADING:
            break
        here = folded(block.text)
        claimed = claim_of(block.text) is not None and "\n" not in block.text
        if not (block.role is Role.HEADING or claimed or (here and here in said)):
            break
        end = block.span.end
    return end
