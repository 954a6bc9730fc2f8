"""The passages that can be found and shown: paragraphs, with over-long ones cut at sentence ends.

Headings are left out. A paragraph is cut only by its own content, so the passages of a story that stops at a
paragraph's end are the first passages of the whole story: that is what makes the spoiler gate exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from books.types import Book, Paragraph, ParagraphKind, Span
from retrieval.sentences import trimmed
from retrieval.types import Passage

VERSION = 1
LIMIT = 1200
"""Characters: about the 256 word pieces that the embedding model reads."""

# A full stop after a short capitalised word ("Mr.", "St.", "J.") is taken for an abbreviation.
_SENTENCE_END = re.compile(
    r"(?:(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})\.|[!?…])+[\"'”’»)\]]*(?=\s)|[。！？][”’」』]*"
)
_CLAUSE_END = re.compile(r"[;:,—–][\"'”’»)\]]*(?=\s)|—|[；，]")
_GAP = re.compile(r"\s+")


def split(book: Book) -> tuple[Passage, ...]:
    """Return the passages of the story, in order."""
    placed = ((p.chapter, span) for p in told(book) for span in cut(book.text, p.span))
    return tuple(
        Passage(index=i, span=span, chapter=chapter, text=book.slice(span))
        for i, (chapter, span) in enumerate(placed)
    )


def told(book: Book) -> Iterator[Paragraph]:
    """Yield the paragraphs of the narrative: all but headings and blank ones."""
    for paragraph in book.paragraphs:
        if paragraph.kind is not ParagraphKind.HEADING and book.slice(paragraph.span).strip():
            yield paragraph


def cut(text: str, span: Span) -> Iterator[Span]:
    """Cut `span` into pieces of at most LIMIT characters, without the white space between them."""
    rest = trimmed(text, span)
    while len(rest) > LIMIT:
        at = _cut_at(text, rest.start, rest.end)
        yield trimmed(text, Span(rest.start, at))
        rest = trimmed(text, Span(at, rest.end))
    if len(rest):
        yield rest


def _cut_at(text: str, start: int, end: int) -> int:
    """Return where to end the piece that begins at `start`.

    The end is near an equal share, preferably at the end of a sentence.
    """
    rest = end - start
    aim = start + rest / math.ceil(rest / LIMIT)
    window = (start + LIMIT // 4, start + LIMIT)
    for pattern in (_SENTENCE_END, _CLAUSE_END, _GAP):
        ends = [m.end() for m in pattern.finditer(text, *window)]
        if ends:
            return min(ends, key=lambda e: (abs(e - aim), e))
    return start + LIMIT
