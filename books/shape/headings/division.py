"""A chapter while it is still counted in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from books.source import Block
from books.types import ChaptersBy, Span


@dataclass(frozen=True, slots=True)
class Division:
    """One chapter in blocks, heading blocks first."""

    title: str
    first: int
    body: int
    """The first block after the heading."""
    named: str | None = None
    """`preface`, `epilogue` …: a heading that is recognised by its name and has no number."""


@dataclass(frozen=True, slots=True)
class Divided:
    divisions: tuple[Division, ...]
    by: ChaptersBy
    blocks: tuple[Block, ...] | None = None
    """The blocks after splitting, if a heading stood inside one; the divisions' indices refer to them."""
    warnings: tuple[str, ...] = ()


def parted_at(cuts: Sequence[int], blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks, each split at the offsets in it; `cuts` are in order."""
    at = 0
    for block in blocks:
        start, end = block.span.start, block.span.end
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        if at == len(cuts) or cuts[at] >= end:
            yield block
            continue
        while at < len(cuts) and cuts[at] < end:
            yield from _piece(block, start, cuts[at])
            start, at = cuts[at], at + 1
        yield from _piece(block, start, end)


def _piece(block: Block, start: int, end: int) -> Iterator[Block]:
    text = block.within[start:end]
    bare = text.strip()
    if bare:
        start += len(text) - len(text.lstrip())
        yield replace(block, span=Span(start, start + len(bare)))
