"""The import report for the person who uploaded a book, and the book's structure in full."""

from __future__ import annotations

from typing import Any

from books.types import Book, Exclusion, Play, count_words


def tell(book: Book) -> dict[str, Any]:
    """Return what was understood and what was doubtful, as plain values for JSON."""
    report = book.report
    return {
        "format": report.format,
        "encoding": report.encoding,
        "encoding_by": str(report.encoding_by),
        "language": report.language,
        "title": book.title,
        "author": book.author,
        "chapters": len(book.chapters),
        "chapters_by": str(report.chapters_by),
        "paragraphs": len(book.paragraphs),
        "words": book.word_count,
        "play": book.play is not None,
        "cut": _cut(book),
        "warnings": list(report.warnings),
    }


def structure(book: Book) -> dict[str, Any]:
    """Return the span of every chapter, paragraph and exclusion as plain values."""
    words = words_by_chapter(book)
    return {
        "chapters": [
            {
                "number": c.number,
                "title": c.title,
                "start": c.span.start,
                "end": c.span.end,
                "words": words[c.index],
            }
            for c in book.chapters
        ],
        "paragraphs": [
            {
                "index": p.index,
                "chapter": p.chapter + 1,
                "start": p.span.start,
                "end": p.span.end,
                "kind": str(p.kind),
                "locator": p.locator,
            }
            for p in book.paragraphs
        ],
        "excluded": [
            {"start": e.span.start, "end": e.span.end, "part": str(e.part), "reason": e.reason}
            for e in book.excluded
        ],
        "play": _play(book.play) if book.play else None,
    }


def words_by_chapter(book: Book) -> list[int]:
    counts = [0] * len(book.chapters)
    for paragraph in book.paragraphs:
        counts[paragraph.chapter] += count_words(book.slice(paragraph.span))
    return counts


def _cut(book: Book) -> list[dict[str, Any]]:
    """Summarise, by reason, the parts that are kept in the text but are not the story."""
    reasons: dict[tuple[str, str], list[Exclusion]] = {}
    for exclusion in book.excluded:
        reasons.setdefault((str(exclusion.part), exclusion.reason), []).append(exclusion)
    return [
        {
            "part": part,
            "reason": reason,
            "places": len(these),
            "share": round(sum(len(e.span) for e in these) / len(book.text), 4),
        }
        for (part, reason), these in reasons.items()
    ]


def _play(play: Play) -> dict[str, Any]:
    return {
        "speeches": [
            {
                "label": {"start": s.label.start, "end": s.label.end},
                "start": s.span.start,
                "end": s.span.end,
            }
            for s in play.speeches
        ],
        "directions": [{"start": d.start, "end": d.end} for d in play.directions],
    }
