"""The `bookworm.annotations/1` document: a book's shape, people, mentions and quotes as plain JSON."""

from __future__ import annotations

from typing import Any

from books.types import Book
from coref.types import Annotations

SCHEMA = "bookworm.annotations/1"


def to_json(book: Book, annotations: Annotations) -> dict[str, Any]:
    """The same book and annotations always give the same document, key order included."""
    return {
        "schema": SCHEMA,
        "sha256": book.sha256,
        "resolver": annotations.resolver,
        "narrator": annotations.narrator,
        "chapters": [
            {"index": c.index, "title": c.title, "start": c.span.start, "end": c.span.end}
            for c in book.chapters
        ],
        "paragraphs": [
            {"index": p.index, "chapter": p.chapter, "start": p.span.start, "end": p.span.end}
            for p in book.paragraphs
        ],
        "characters": [
            {
                "id": c.id,
                "name": c.name,
                "aliases": [a.text for a in c.aliases],
                "pronouns": c.pronouns,
                "mention_count": c.mention_count,
                "kind": c.kind.value,
            }
            for c in annotations.characters
        ],
        "mentions": [
            {"start": m.span.start, "end": m.span.end, "kind": m.kind.value, "character": m.character}
            for m in annotations.mentions
        ],
        "quotes": [
            {
                "start": q.span.start,
                "end": q.span.end,
                "speaker": q.speaker,
                "addressee": q.addressee,
                "confidence": q.confidence,
            }
            for q in annotations.quotes
        ],
    }
