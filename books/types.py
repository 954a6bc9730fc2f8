"""What a book is: one text, and everything known about its shape as spans into that text.

Every span in Bookworm is a half-open pair of code-point offsets into `Book.text`. For plain text that is the
decoded file with line ends made `\\n` and nothing else changed, so an offset points into what was uploaded;
for marked-up formats it is the text extracted from them, and each paragraph's locator gives its origin.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

UNTITLED: Final = "Untitled"
"""The title of a book that has none."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open: `text[span.start:span.end]`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span must run forward from 0, not from {self.start} to {self.end}")

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
    SPEECH = "speech"
    """In a play: spoken by the person that this or the previous label names."""
    DIRECTION = "direction"
    """In a play: an action on stage, or who is present."""


class Part(StrEnum):
    """The reason why a stretch of the source is not the story."""

    FRONT = "front"
    BACK = "back"
    APPARATUS = "apparatus"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter up to the next heading; `index` counts from 0, readers count from 1 (`number`)."""

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
class Speech:
    """What one person says in a play until the next label. The label is the name as printed: `HAM.`"""

    label: Span
    span: Span
    """From the label's end to the end of the speech; directions may lie inside it."""


@dataclass(frozen=True, slots=True)
class Play:
    """The markup of a play beside its paragraphs, in order; spans lie inside paragraphs."""

    speeches: tuple[Speech, ...]
    directions: tuple[Span, ...]


class ChaptersBy(StrEnum):
    """How the chapters were found."""

    CONTENTS = "contents"
    """The source's own table of contents, whose entries point into its text."""
    HEADINGS = "headings"
    ACTS = "acts"
    READER = "reader"
    """A reader corrected the chapters."""
    NONE = "none"
    """The whole text is one chapter."""


class EncodingBy(StrEnum):
    """How the encoding was chosen."""

    MARK = "byte-order mark"
    VALID = "valid"
    """Bytes that decode as strict UTF-8 are UTF-8."""
    DECLARED = "declared"
    GUESSED = "guessed"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What the reader understood of a source; `books.report.tell` adds facts about the book itself."""

    format: str
    encoding: str
    language: str
    chapters_by: str
    """A value of `ChaptersBy`."""
    warnings: tuple[str, ...] = ()
    encoding_by: str = EncodingBy.VALID


@dataclass(frozen=True, slots=True)
class Book:
    """A read book. Chapters cover the story in order; paragraphs lie inside their chapters, in order.

    Nothing is lost: all text but white space lies in a paragraph or is excluded. An exclusion may lie inside
    a paragraph (a page number, a footnote mark); it never contains part of one.
    """

    text: str
    title: str
    author: str | None
    chapters: tuple[Chapter, ...]
    paragraphs: tuple[Paragraph, ...]
    excluded: tuple[Exclusion, ...]
    report: ImportReport
    play: Play | None = None
    sha256: str = field(default="", kw_only=True)
    """Hash of the text as UTF-8; passed only when it is already known."""

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", text_sha256(self.text))

    @property
    def language(self) -> str:
        return self.report.language

    @property
    def word_count(self) -> int:
        return sum(count_words(self.slice(p.span)) for p in self.paragraphs)

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def excluded_in(self, span: Span) -> Iterator[Span]:
        """Yield what is excluded inside a span: a page number, a footnote mark."""
        at = bisect_right(self.excluded, span.start, key=lambda e: e.span.end)
        while at < len(self.excluded) and (cut := self.excluded[at].span).start < span.end:
            yield Span(max(cut.start, span.start), min(cut.end, span.end))
            at += 1

    def told(self, span: Span) -> str:
        """Return the text of a span without what is excluded inside."""
        at, parts = span.start, []
        for cut in self.excluded_in(span):
            parts.append(self.text[at : cut.start])
            at = cut.end
        return "".join((*parts, self.text[at : span.end]))

    def paragraph_at(self, offset: int) -> Paragraph | None:
        """Return the paragraph at `offset`, or None between paragraphs and outside the story."""
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

    def percent(self, offset: int) -> int:
        """Return how far into the story a place is."""
        start, end = self.chapters[0].span.start, self.chapters[-1].span.end
        return round(100 * (offset - start) / (end - start))

    def end_of_chapter(self, number: int) -> int:
        """Return the reading position after finishing chapter `number` (counted from 1), as an offset."""
        return self.chapters[min(number, len(self.chapters)) - 1].span.end


_PIECE = 1 << 14
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def count_words(text: str) -> int:
    """Count words between spaces; each Chinese character counts as a word, as its publishers count."""
    if text.isascii():
        return len(text.split())
    apart, ideographs = _IDEOGRAPH.subn(" ", text)
    return len(apart.split()) + ideographs


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words, as they are written."""
    return words in text and re.search(rf"\b{re.escape(words)}\b", text) is not None


def text_sha256(text: str) -> str:
    """Hash the text as UTF-8, encoded piece by piece: all at once takes three bytes for most characters."""
    hashed = hashlib.sha256()
    for start in range(0, len(text), _PIECE):
        hashed.update(text[start : start + _PIECE].encode("utf-8"))
    return hashed.hexdigest()
