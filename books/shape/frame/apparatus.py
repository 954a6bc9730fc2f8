"""Find printed text that is not the story: notes, captions, page numbers, transcribers' notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from books.shape.body.lines import is_ornament
from books.shape.frame.boilerplate import licences_within
from books.shape.frame.brackets import bracketed
from books.shape.frame.footnotes import footnotes
from books.shape.frame.pages import page_numbers, running_heads
from books.shape.frame.transcriber import transcribers_notes
from books.source import Block, Role
from books.types import Exclusion, Part, Span

_ROLES = {
    Role.NOTE: (Part.APPARATUS, "note"),
    Role.CAPTION: (Part.APPARATUS, "caption"),
    Role.ASIDE: (Part.APPARATUS, "aside"),
    Role.CONTENTS: (Part.FRONT, "contents"),
    Role.PAGE: (Part.APPARATUS, "page number"),
    Role.FRONT: (Part.FRONT, "front matter"),
    Role.BACK: (Part.BACK, "back matter"),
}
_MAX_CUT = 0.3
"""If what only looks like apparatus exceeds this share of the text, it is the text."""
_ORNAMENT = 200
_INK = re.compile(r"\S")


def set_apart(blocks: Sequence[Block]) -> tuple[list[Block], list[Exclusion]]:
    """Return the remaining blocks and the exclusions: whole blocks, and stretches inside the others."""
    if not blocks:
        return [], []
    marked = [Exclusion(b.span, *_ROLES[b.role]) for b in blocks if b.role in _ROLES]
    plain = [b for b in blocks if b.role not in _ROLES]
    found = list(_found(plain)) if plain else []
    total = sum(len(block.span) for block in plain)
    if sum(len(cut.span) for cut in _apart(found)) > _MAX_CUT * total:
        found = []
    kept, cuts = _applied(blocks, list(_apart([*marked, *found])))
    return (kept, list(_neighbours_joined(blocks[0].within, cuts))) if kept else (list(blocks), [])


def _found(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    within = Span(blocks[0].span.start, blocks[-1].span.end)
    for span in licences_within(blocks[0].within, within):
        yield Exclusion(span, Part.APPARATUS, "licence")
    yield from bracketed(blocks)
    yield from footnotes(blocks)
    yield from transcribers_notes(blocks)
    yield from page_numbers(blocks)
    yield from running_heads(blocks)
    text = blocks[0].within
    for block in blocks:
        begins = text[block.span.start]
        if not begins.isalnum() and len(block.span) <= _ORNAMENT and is_ornament(block.text):
            yield Exclusion(block.span, Part.APPARATUS, "scene break")


def _apart(exclusions: Sequence[Exclusion]) -> Iterator[Exclusion]:
    """Return exclusions in order, none within another; of two that overlap, the later keeps the remainder."""
    reached = 0
    for cut in sorted(exclusions, key=lambda e: (e.span.start, -e.span.end)):
        if cut.span.end > reached:
            start = max(cut.span.start, reached)
            yield replace(cut, span=Span(start, cut.span.end)) if start > cut.span.start else cut
            reached = cut.span.end


def _applied(blocks: Sequence[Block], cuts: Sequence[Exclusion]) -> tuple[list[Block], list[Exclusion]]:
    """Remove cuts at the edges of blocks; a cut inside a block stays inside it as an exclusion."""
    kept: list[Block] = []
    first = 0
    for block in blocks:
        while first < len(cuts) and cuts[first].span.end <= block.span.start:
            first += 1
        if first == len(cuts) or cuts[first].span.start >= block.span.end:
            kept.append(block)
            continue
        after = first
        while after < len(cuts) and cuts[after].span.start < block.span.end:
            after += 1
        span = _without_edges(block, [cut.span for cut in cuts[first:after]])
        if span:
            kept.append(replace(block, span=span))
    return kept, [_trimmed(cuts[i], blocks[0].within) for i in range(len(cuts))]


def _without_edges(block: Block, cuts: Sequence[Span]) -> Span | None:
    text, start, end = block.within, block.span.start, block.span.end
    for cut in cuts:
        if text[start : cut.start].strip():
            break
        start = min(end, max(start, cut.end))
    for cut in reversed(cuts):
        if text[cut.end : end].strip():
            break
        end = max(start, min(end, cut.start))
    left = text[start:end]
    start += len(left) - len(left.lstrip())
    return Span(start, start + len(left.strip())) if left.strip() else None


def _trimmed(cut: Exclusion, text: str) -> Exclusion:
    said = cut.span.of(text)
    start = cut.span.start + len(said) - len(said.lstrip())
    return replace(cut, span=Span(start, start + len(said.strip())))


def _neighbours_joined(text: str, cuts: Sequence[Exclusion]) -> Iterator[Exclusion]:
    """Merge adjacent captions, notes or numbers with no kept text between them into one exclusion."""
    held: Exclusion | None = None
    for cut in cuts:
        same = held is not None and (held.part, held.reason) == (cut.part, cut.reason)
        # Search, do not slice: between two exclusions the whole book may lie.
        if held and same and not _INK.search(text, held.span.end, cut.span.start):
            held = replace(held, span=Span(held.span.start, cut.span.end))
            continue
        if held:
            yield held
        held = cut
    if held:
        yield held
