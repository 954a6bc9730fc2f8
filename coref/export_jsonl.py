"""Our annotations as JSON Lines: a line for the book, then one for each character, mention and quote.

Each line says in `type` what it is, so that a reader can take what it wants and pass over the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from books.types import Book, Span
from coref.export import to_json
from coref.types import Annotations

SCHEMA = "bookworm.annotations.lines/1"


def to_jsonl(book: Book, annotations: Annotations) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in _lines(book, annotations))


def _lines(book: Book, annotations: Annotations) -> Iterator[dict[str, Any]]:
    """The entries of the JSON document, mentions and quotes with their words and their chapter."""
    document = to_json(book, annotations)
    head = {key: document[key] for key in ("sha256", "resolver", "narrator")}
    yield {"type": "book", "schema": SCHEMA, "title": book.title, "author": book.author, **head}
    yield from ({"type": "character", **character} for character in document["characters"])
    for kind in ("mention", "quote"):
        for entry in document[f"{kind}s"]:
            span = Span(entry["start"], entry["end"])
            chapter = book.chapter_at(span.start)
            number = chapter.number if chapter else None
            yield {"type": kind, **entry, "chapter": number, "text": book.slice(span)}
