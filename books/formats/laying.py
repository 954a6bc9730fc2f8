"""Lay out pieces of text one after the other, for formats whose text has no offsets of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from books.encodings import composed
from books.source import Block, Role
from books.types import Span

_GAP: Final = b"\n\n"
_SHORT_WORDS: Final = 20
_SHORT: Final = 400


@dataclass(frozen=True, slots=True)
class Piece:
    """A block that has no place in the text yet; its text is not blank at either end."""

    text: str
    role: Role
    level: int
    locator: str


def laid_out(pieces: Iterable[Piece]) -> tuple[Block, ...]:
    """Return the blocks, with a blank line between any two; all share the whole text as `within`.

    Until the last piece has come, the text is kept as UTF-8, which takes half the memory for text with curly
    quotes.
    """
    written = bytearray()
    kept: list[tuple[Span, Role, int, str]] = []
    start = 0
    for piece in pieces:
        text = composed(piece.text)
        end = start + len(text)
        kept.append((Span(start, end), piece.role, piece.level, piece.locator))
        written += text.encode()
        written += _GAP
        start = end + len(_GAP)
    del written[-len(_GAP) :]
    within = written.decode()
    return tuple(Block(within, *each) for each in kept)


def role_of_plain(text: str) -> Role:
    """Return the role of a plain paragraph: a short one may be a heading even without markup for it."""
    short = len(text) <= _SHORT and len(text.split()) <= _SHORT_WORDS
    return Role.UNKNOWN if short else Role.TEXT
