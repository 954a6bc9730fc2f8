"""The import report: what the reader understood of a source, for whoever uploaded it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from books.types import Book, Exclusion


def tell(book: Book) -> dict[str, Any]:
    """All of it as plain values, ready for JSON."""
    return {
        **asdict(book.report),
        "title": book.title,
        "author": book.author,
        "chapters": len(book.chapters),
        "paragraphs": len(book.paragraphs),
        "words": book.word_count,
        "play": book.play is not None,
        "cut": _cut(book),
    }


def _cut(book: Book) -> list[dict[str, Any]]:
    """What is kept in the text but is not the story, summed up by reason."""
    reasons: dict[tuple[str, str], list[Exclusion]] = {}
    for exclusion in book.excluded:
        reasons.setdefault((exclusion.part, exclusion.reason), []).append(exclusion)
    return [
        {
            "part": part,
            "reason": reason,
            "places": len(these),
            "share": round(sum(len(e.span) for e in these) / len(book.text), 4),
        }
        for (part, reason), these in reasons.items()
    ]
