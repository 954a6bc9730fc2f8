"""What a format's reader gives: the text, and whatever the source's own markup says about its parts.

Readers know formats and nothing of novels; the modules after them know novels and nothing of formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from books.limits import Limits
from books.types import EncodingBy, Exclusion, Span


class Role(StrEnum):
    """What markup says a block is. Plain text says nothing: its blocks are all `UNKNOWN`."""

    UNKNOWN = "unknown"
    TEXT = "text"
    HEADING = "heading"
    VERSE = "verse"
    """Its line ends are the poet's."""
    NOTE = "note"
    CAPTION = "caption"
    CONTENTS = "contents"
    PAGE = "page"
    """A page number that stands alone."""
    FRONT = "front"
    """Title page, dedication, copyright."""
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that stands by itself, not blank at either end."""

    within: str
    """The whole text, shared by all blocks: a copy of each would double the memory."""
    span: Span
    role: Role = Role.UNKNOWN
    level: int = 0
    """Of a heading, from 1; 0 when unknown or no heading."""
    locator: str | None = None

    @property
    def text(self) -> str:
        return self.within[self.span.start : self.span.end]

    @property
    def lines(self) -> list[str]:
        return [line.strip() for line in self.text.split("\n")]

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entry of the source's table of contents, and where in the text it points."""

    title: str
    offset: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    text: str
    format: str
    encoding: str
    encoding_by: EncodingBy = EncodingBy.VALID
    blocks: tuple[Block, ...] | None = None
    """In order; None when the format has no markup and blocks must be found in the text."""
    anchors: tuple[Anchor, ...] = ()
    """In the order of the text."""
    excluded: tuple[Exclusion, ...] = ()
    """Inside blocks: page numbers, marks of footnotes."""
    title: str | None = None
    author: str | None = None
    language: str | None = None
    """As declared, as a lower-case ISO 639-1 code; not to be trusted."""
    warnings: tuple[str, ...] = ()


class SourceReader(Protocol):
    """One per format, in `books.formats.registry`."""

    def __call__(self, data: bytes, *, limits: Limits, encoding: str | None) -> Source:
        """`encoding` is the reader's order and wins over everything the file says.

        Raises NotText, EmptyBook, BookTooLarge, FileDamaged, FileHostile.
        """
        ...
