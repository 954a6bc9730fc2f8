"""Store a read book as two plain files: `text.txt` and `structure.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from books.errors import BookwormError
from books.types import (
    Book,
    Chapter,
    Exclusion,
    ImportReport,
    Paragraph,
    ParagraphKind,
    Part,
    Play,
    Span,
    Speech,
)

TEXT, STRUCTURE = "text.txt", "structure.json"
_FORMAT = 2


class BookDamaged(BookwormError):
    code = "book_damaged"
    remedy = "Ingest the book again."


def save(book: Book, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TEXT).write_bytes(book.text.encode("utf-8"))
    (folder / STRUCTURE).write_text(json.dumps(_to_dict(book), ensure_ascii=False), encoding="utf-8")


def load(folder: Path) -> Book:
    try:
        text = (folder / TEXT).read_bytes().decode("utf-8")
        book = _from_dict(json.loads((folder / STRUCTURE).read_text("utf-8")), text)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BookDamaged(f"The stored text of this book can't be read: {type(error).__name__}.") from error
    return book


def _to_dict(book: Book) -> dict[str, Any]:
    """Write spans as flat rows: an object for each of thousands of paragraphs would be slow to open."""
    report = book.report
    return {
        "format": _FORMAT,
        "sha256": book.sha256,
        "title": book.title,
        "author": book.author,
        "chapters": [[c.title, c.span.start, c.span.end] for c in book.chapters],
        "paragraphs": [[p.chapter, p.span.start, p.span.end, p.kind, p.locator] for p in book.paragraphs],
        "excluded": [[e.span.start, e.span.end, e.part, e.reason] for e in book.excluded],
        "play": _play_rows(book.play),
        "report": {
            "format": report.format,
            "encoding": report.encoding,
            "language": report.language,
            "chapters_by": report.chapters_by,
            "warnings": list(report.warnings),
            "encoding_by": report.encoding_by,
        },
    }


def _from_dict(data: dict[str, Any], text: str) -> Book:
    if data["format"] != _FORMAT:
        raise ValueError(f"format {data['format']}, not {_FORMAT}")
    report = data["report"]
    book = Book(
        text=text,
        title=data["title"],
        author=data["author"],
        chapters=tuple(Chapter(i, t, Span(s, e)) for i, (t, s, e) in enumerate(data["chapters"])),
        paragraphs=tuple(
            Paragraph(i, c, Span(s, e), ParagraphKind(k), at)
            for i, (c, s, e, k, at) in enumerate(data["paragraphs"])
        ),
        excluded=tuple(Exclusion(Span(s, e), Part(p), r) for s, e, p, r in data["excluded"]),
        report=ImportReport(**{**report, "warnings": tuple(report["warnings"])}),
        play=_play_from(data["play"]),
    )
    if book.sha256 != data["sha256"]:
        raise ValueError("the text is not the one that the structure was made from")
    return book


def _play_rows(play: Play | None) -> dict[str, Any] | None:
    if play is None:
        return None
    return {
        "speeches": [[s.label.start, s.label.end, s.span.start, s.span.end] for s in play.speeches],
        "directions": [[d.start, d.end] for d in play.directions],
    }


def _play_from(rows: dict[str, Any] | None) -> Play | None:
    if rows is None:
        return None
    return Play(
        speeches=tuple(Speech(Span(a, b), Span(s, e)) for a, b, s, e in rows["speeches"]),
        directions=tuple(Span(s, e) for s, e in rows["directions"]),
    )
