"""Annotations as JSON Lines: a line for the book, then one for each character, mention, quote and so on.

Each line has a `type`, so that a reader can select what it needs and skip the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from books.types import Book, Span
from coref.export.document import to_json
from coref.types import Annotations

SCHEMA = "bookworm.annotations.lines/1"


def to_jsonl(book: Book, annotations: Annotations) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in _lines(book, annotations))


def _lines(book: Book, annotations: Annotations) -> Iterator[dict[str, Any]]:
    """Yield the entries of the JSON document. Those with a place in the book have its chapter and text."""
    document = to_json(book, annotations)
    head = {key: document[key] for key in ("bookworm", "title", "author", "sha256", "resolver", "narrator")}
    yield {"type": "book", "schema": SCHEMA, **head}
    for kind in ("character", "mention", "quote", "trait", "teller", "merge", "doubt"):
        for entry in document[f"{kind}s"]:
            yield {"type": kind, **entry, **_place(book, entry, words=kind != "teller")}


def _place(book: Book, entry: Mapping[str, Any], *, words: bool) -> dict[str, Any]:
    """Return an entry's chapter and text. A teller's text, the whole part told by them, is omitted."""
    if "start" not in entry:
        return {}
    span = Span(entry["start"], entry["end"])
    chapter = book.chapter_at(span.start)
    place = {"chapter": chapter.number if chapter else None}
    return {**place, "text": book.slice(span)} if words else place
