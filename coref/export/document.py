"""The `bookworm.annotations/1` document: a book's structure, people, mentions, quotes and traits as plain
JSON.

Later versions of Bookworm add keys to it and remove none.
"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from books.types import Book
from coref.types import Annotations, Character, Mention, Quote, Trait

SCHEMA = "bookworm.annotations/1"


def to_json(book: Book, annotations: Annotations) -> dict[str, Any]:
    """Return the document. The same book and annotations give the same one in any run, in key order too."""
    return {
        "schema": SCHEMA,
        "bookworm": version("bookworm"),
        "title": book.title,
        "author": book.author,
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
        "characters": [_character(c) for c in annotations.characters],
        "mentions": [_mention(m) for m in annotations.mentions],
        "quotes": [_quote(q) for q in annotations.quotes],
        "tellers": [
            {"start": t.span.start, "end": t.span.end, "character": t.character} for t in annotations.tellers
        ],
        "merges": [asdict(m) for m in annotations.merges],
        "doubts": [asdict(d) for d in annotations.doubts],
        "traits": [_trait(t) for t in annotations.traits],
    }


def _character(character: Character) -> dict[str, Any]:
    return {
        "id": character.id,
        "name": character.name,
        "aliases": [a.text for a in character.aliases],
        "pronouns": character.pronouns,
        "mention_count": character.mention_count,
        "kind": character.kind.value,
    }


def _mention(mention: Mention) -> dict[str, Any]:
    return {
        "start": mention.span.start,
        "end": mention.span.end,
        "kind": mention.kind.value,
        "character": mention.character,
        "category": mention.category.value,
        "entity": mention.entity,
        "confidence": mention.confidence,
    }


def _quote(quote: Quote) -> dict[str, Any]:
    return {
        "start": quote.span.start,
        "end": quote.span.end,
        "speaker": quote.speaker,
        "addressee": quote.addressee,
        "confidence": quote.confidence,
        "quote_type": quote.type.value if quote.type else None,
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
