"""What stands before and after the story: title page, contents, preface; appendix, notes, advertisements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.shape.division import Division
from books.source import Block
from books.types import Exclusion, Part, Span


@dataclass(frozen=True, slots=True)
class Trimmed:
    divisions: tuple[Division, ...]
    end: int
    """The block after the story's last."""
    excluded: tuple[Exclusion, ...]
    """Every block before the first division and from `end` on."""


def trim(blocks: Sequence[Block], divisions: Sequence[Division], *, ends: bool = True) -> Trimmed:
    """Take divisions that are not the story from both ends, unless a reader set them; never all of them."""
    first = divisions[0].first if divisions else 0
    excluded = []
    if first:
        span = Span(blocks[0].span.start, blocks[first - 1].span.end)
        excluded.append(Exclusion(span, Part.FRONT, "title page or contents"))
    return Trimmed(tuple(divisions), len(blocks), tuple(excluded))
