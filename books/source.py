"""What a format's reader returns: the text, and what the source's own markup says about its parts.

Readers know formats and nothing about novels; the modules after them know novels and nothing about formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from books.limits import Limits
from books.types import EncodingBy, Exclusion, Span


class Role(StrEnum):
    """The role that markup gives to a block. Plain text has no markup: all its blocks are `UNKNOWN`."""

    UNKNOWN = "unknown"
    TEXT = "text"
    HEADING = "heading"
    VERSE = "verse"
    """The line ends are the poet's."""
    NOTE = "note"
    CAPTION = "caption"
    ASIDE = "aside"
    """Beside the story: a text box next to a paragraph, a table of short entries."""
    CONTENTS = "contents"
    PAGE = "page"
    """A page number that stands alone."""
    FRONT = "front"
    """Title page, dedication, copyright."""
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Block:
    """A separate stretch of text, not blank at either end."""

    within: str
    """The whole text, shared by all blocks: a copy of each would double the memory."""
    span: Span
    role: Role = Role.UNKNOWN
    level: int = 0
    """Level of a heading, from 1; 0 when unknown or no heading."""
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
    """An entry of the source's table of contents, and the place in the text it points to."""

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
    """Exclusions inside blocks: page numbers, footnote marks."""
    title: str | None = None
    author: str | None = None
    language: str | None = None
    """The declared language as a lower-case ISO 639-1 code; not to be trusted."""
    warnings: tuple[str, ...] = ()


class SourceReader(Protocol):
    """Reads one format; registered in `books.formats.registry`."""

    def __call__(self, data: bytes, *, limits: Limits, encoding: str | None) -> Source:
        """Read a source; `encoding` is the caller's choice and overrides what the file declares.

        Raises NotText, EmptyBook, BookTooLarge, FileDamaged, FileHostile.
        """
        ...
