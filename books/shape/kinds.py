"""Prose or verse: whether the line ends of a block are the author's."""

from __future__ import annotations

from books.source import Block, Role
from books.types import ParagraphKind

_VERSE_LINE = 60


def kind_of(block: Block) -> ParagraphKind:
    """Several short lines that each begin with a capital are verse, unless the markup says otherwise."""
    if block.role is Role.VERSE:
        return ParagraphKind.VERSE
    lines = block.lines
    if len(lines) < 3 or max(map(len, lines)) > _VERSE_LINE:
        return ParagraphKind.PROSE
    capital = sum(1 for line in lines if line.lstrip("“‘\"'_")[:1].isupper())
    return ParagraphKind.VERSE if capital >= 0.9 * len(lines) else ParagraphKind.PROSE
