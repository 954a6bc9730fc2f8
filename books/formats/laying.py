"""Pieces of text laid out one after the other, for formats whose text has no offsets of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from books.source import Block, Role
from books.types import Span

_GAP: Final = "\n\n"
_SHORT_WORDS: Final = 20
_SHORT: Final = 400


@dataclass(frozen=True, slots=True)
class Piece:
    """A block before it has a place; its text is not blank at either end."""

    text: str
    role: Role
    level: int
    locator: str


def laid_out(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """With a blank line between any two; the whole text is every block's `within`."""
    text = _GAP.join(piece.text for piece in pieces)
    blocks = []
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        blocks.append(Block(text, Span(start, end), piece.role, piece.level, piece.locator))
        start = end + len(_GAP)
    return tuple(blocks)


def role_of_plain(text: str) -> Role:
    """Of a paragraph that its markup calls no more than that: a short one may be a heading all the same."""
    short = len(text) <= _SHORT and len(text.split()) <= _SHORT_WORDS
    return Role.UNKNOWN if short else Role.TEXT
