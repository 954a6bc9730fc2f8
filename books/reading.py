"""Read a plain-text book: decode it, set its licence apart, find chapters and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from books.blocks import Block, blocks_of
from books.boilerplate import Framing, frame
from books.chapters import Division, divide
from books.decoding import Decoded, decode
from books.errors import EmptyBook
from books.types import Book, Chapter, Exclusion, ImportReport, Paragraph, ParagraphKind, Part, Span

_BYLINE = re.compile(r"^_?by[\s:]+(\S.{1,60}?)_?\.?$", re.I)
_TITLE_BLOCKS = 4
_VERSE_LINE = 60


def read(
    data: bytes, *, name: str | None = None, title: str | None = None, author: str | None = None
) -> Book:
    """Read a whole source. A `title` or `author` that is given wins over what the text says."""
    decoded = decode(data)
    framing = frame(decoded.text)
    blocks = blocks_of(decoded.text, framing.story)
    if not blocks:
        raise EmptyBook("The file holds a licence but no story.")
    divisions, first = divide(blocks)
    said_title, said_author = _title_page(blocks[:first])
    chapters, paragraphs = _structure(blocks, divisions, framing.story.end)
    return Book(
        text=decoded.text,
        title=title or framing.title or said_title or _title_from(name) or "Untitled",
        author=author or framing.author or said_author,
        chapters=chapters,
        paragraphs=paragraphs,
        excluded=_excluded(framing, blocks[:first]),
        report=_report(decoded, framing, divisions),
    )


def _report(decoded: Decoded, framing: Framing, divisions: Sequence[Division]) -> ImportReport:
    warnings = [*decoded.warnings, *framing.warnings]
    if not divisions:
        warnings.append("No chapter headings were found, so the book is one chapter.")
    by = "headings" if divisions else "none"
    return ImportReport("text", decoded.encoding, "en", by, tuple(warnings))


def _structure(
    blocks: Sequence[Block], divisions: Sequence[Division], end: int
) -> tuple[tuple[Chapter, ...], tuple[Paragraph, ...]]:
    divisions = divisions or (Division("", 0, 0),)
    starts = [blocks[d.first].span.start for d in divisions]
    ends = [*starts[1:], end]
    chapters = tuple(
        Chapter(i, d.title, Span(start, stop))
        for i, (d, start, stop) in enumerate(zip(divisions, starts, ends, strict=True))
    )
    lasts = [*(d.first for d in divisions[1:]), len(blocks)]
    paragraphs: list[Paragraph] = []
    for chapter, (division, last) in enumerate(zip(divisions, lasts, strict=True)):
        for at in range(division.first, last):
            kind = ParagraphKind.HEADING if at < division.body else _kind_of(blocks[at])
            paragraphs.append(Paragraph(len(paragraphs), chapter, blocks[at].span, kind))
    return chapters, tuple(paragraphs)


def _kind_of(block: Block) -> ParagraphKind:
    """Several short lines that each begin with a capital are verse."""
    lines = block.lines
    if len(lines) < 3 or max(map(len, lines)) > _VERSE_LINE:
        return ParagraphKind.PROSE
    capital = sum(1 for line in lines if line.lstrip("“‘\"'_")[:1].isupper())
    return ParagraphKind.VERSE if capital >= 0.9 * len(lines) else ParagraphKind.PROSE


def _title_page(blocks: Sequence[Block]) -> tuple[str | None, str | None]:
    """Title and author as the page before the first chapter gives them: a short line, then a "by" line.

    Without a "by" line the page may be anything (a part's heading, a motto), so it names nothing.
    """
    title = author = None
    for block in blocks[:_TITLE_BLOCKS]:
        for line in block.lines:
            byline = _BYLINE.match(line)
            if byline and not author:
                author = byline[1].strip()
            elif title is None and not byline and len(line.split()) <= 12:
                title = line.strip("_*= ")
    return (title, author) if author else (None, None)


def _title_from(name: str | None) -> str | None:
    if not name:
        return None
    stem = PurePath(name.replace("\\", "/")).name
    stem = re.sub(r"(\.(txt|text|gz))+$", "", stem, flags=re.I)
    return re.sub(r"[_\s]+", " ", stem).strip() or None


def _excluded(framing: Framing, front: Sequence[Block]) -> tuple[Exclusion, ...]:
    if not front:
        return framing.excluded
    span = Span(front[0].span.start, front[-1].span.end)
    page = Exclusion(span, Part.FRONT, "title page or contents")
    return tuple(sorted((*framing.excluded, page), key=lambda e: e.span))
