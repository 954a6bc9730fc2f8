"""What a book is: one text, and everything that is known about its shape, as spans into that text.

Every span in Bookworm is a half-open pair of code-point offsets into `Book.text`. The text is the decoded
source with line ends made `\\n` and nothing else changed, so an offset always points into what was uploaded.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open: `text[span.start:span.end]`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span runs forward from 0, not from {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def covers(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class ParagraphKind(StrEnum):
    HEADING = "heading"
    PROSE = "prose"
    VERSE = "verse"


class Part(StrEnum):
    """Why a stretch of the source is not the story."""

    FRONT = "front"
    BACK = "back"
    APPARATUS = "apparatus"


@dataclass(frozen=True, slots=True)
class Chapter:
    """From its heading to the next chapter's; `index` counts from 0, readers count from 1 (`number`)."""

    index: int
    title: str
    span: Span

    @property
    def number(self) -> int:
        return self.index + 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    index: int
    chapter: int
    span: Span
    kind: ParagraphKind = ParagraphKind.PROSE
    locator: str | None = None
    """File and element in the source, for sources that are not plain text."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A stretch that is kept in the text but is not the story: licence, contents, notes."""

    span: Span
    part: Part
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What the reader understood of a source, told to whoever uploaded it."""

    format: str
    encoding: str
    language: str
    chapters_by: str
    """How chapters were found: `headings`, or `none` when the whole text became one chapter."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A read book. Chapters tile the story in order; paragraphs lie inside their chapters, in order."""

    text: str
    title: str
    author: str | None
    chapters: tuple[Chapter, ...]
    paragraphs: tuple[Paragraph, ...]
    excluded: tuple[Exclusion, ...]
    report: ImportReport
    sha256: str = field(default="")
    """Of the text as UTF-8; given only when it is known already."""

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", text_sha256(self.text))

    @property
    def language(self) -> str:
        return self.report.language

    @property
    def word_count(self) -> int:
        return sum(len(self.slice(p.span).split()) for p in self.paragraphs)

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def paragraph_at(self, offset: int) -> Paragraph | None:
        """The paragraph that holds `offset`, or None between paragraphs and outside the story."""
        at = bisect_right(self.paragraphs, offset, key=lambda p: p.span.start) - 1
        if at < 0 or offset >= self.paragraphs[at].span.end:
            return None
        return self.paragraphs[at]

    def chapter_at(self, offset: int) -> Chapter | None:
        at = bisect_right(self.chapters, offset, key=lambda c: c.span.start) - 1
        if at < 0 or offset >= self.chapters[at].span.end:
            return None
        return self.chapters[at]

    def paragraphs_of(self, chapter: int) -> Iterator[Paragraph]:
        return (p for p in self.paragraphs if p.chapter == chapter)

    def end_of_chapter(self, number: int) -> int:
        """The offset up to which someone has read who finished chapter `number` (counted from 1)."""
        return self.chapters[min(number, len(self.chapters)) - 1].span.end


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
