"""The document of the issue, item 9."""

from __future__ import annotations

import json

from books.types import Book
from coref.export import to_json
from coref.types import Annotations


def test_document(book: Book, annotations: Annotations) -> None:
    document = to_json(book, annotations)
    assert document["schema"] == "bookworm.annotations/1"
    assert document["sha256"] == book.sha256
    assert document["chapters"][1]["title"] == "Chapter 2"
    assert set(document["paragraphs"][0]) == {"index", "chapter", "start", "end"}
    assert set(document["characters"][0]) == {"id", "name", "aliases", "pronouns", "mention_count", "kind"}
    assert {m["kind"] for m in document["mentions"]} == {"PROP", "NOM", "PRON"}
    assert document["quotes"][0] == {
        "start": annotations.quotes[0].span.start,
        "end": annotations.quotes[0].span.end,
        "speaker": "hale",
        "addressee": None,
        "confidence": 0.9,
    }


def test_same_input_same_document(book: Book, annotations: Annotations) -> None:
    assert json.dumps(to_json(book, annotations)) == json.dumps(to_json(book, annotations))


def test_unresolved_is_null(book: Book, annotations: Annotations) -> None:
    characters = {m["character"] for m in to_json(book, annotations)["mentions"]}
    assert None in characters
    assert all(c is None or isinstance(c, str) for c in characters)
