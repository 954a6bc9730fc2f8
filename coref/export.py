"""The `bookworm.annotations/1` document: a book's shape, people, mentions, quotes and traits as plain JSON.

Later versions of Bookworm add keys to it and take none away.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from books.types import Book
from coref.types import Annotations, Trait

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
            {
                "start": m.span.start,
                "end": m.span.end,
                "kind": m.kind.value,
                "character": m.character,
                "category": m.category.value,
                "entity": m.entity,
                "confidence": m.confidence,
            }
            for m in annotations.mentions
        ],
        "quotes": [
            {
                "start": q.span.start,
                "end": q.span.end,
                "speaker": q.speaker,
                "addressee": q.addressee,
                "confidence": q.confidence,
                "quote_type": q.type.value if q.type else None,
            }
            for q in annotations.quotes
        ],
        "tellers": [
            {"start": t.span.start, "end": t.span.end, "character": t.character} for t in annotations.tellers
        ],
        "merges": [asdict(m) for m in annotations.merges],
        "doubts": [asdict(d) for d in annotations.doubts],
        "traits": [_trait(t) for t in annotations.traits],
    }


def _trait(trait: Trait) -> dict[str, Any]:
    return {
        "start": trait.span.start,
        "end": trait.span.end,
        "character": trait.character,
        "kind": trait.kind.value,
        "lemma": trait.lemma,
        "other": trait.other,
        "negated": trait.negated,
        "modal": trait.modal,
        "tense": trait.tense.value if trait.tense else None,
        "quoted": trait.quoted,
    }
