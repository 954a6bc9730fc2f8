"""The `bookworm.annotations/1` document."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version

from books.types import Book, Span
from coref.export.document import to_json
from coref.types import (
    Annotations,
    Doubt,
    EntityCategory,
    Merge,
    QuoteType,
    Teller,
    Tense,
    Trait,
    TraitKind,
)


def test_document(book: Book, annotations: Annotations) -> None:
    document = to_json(book, annotations)
    assert document["schema"] == "bookworm.annotations/1"
    assert document["sha256"] == book.sha256
    assert (document["bookworm"], document["resolver"]) == (version("bookworm"), annotations.resolver)
    assert (document["title"], document["author"]) == (book.title, book.author)
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
        "quote_type": None,
    }


def test_all_that_a_resolver_says_is_in_it(book: Book, annotations: Annotations) -> None:
    hale = Span(book.text.index("Mrs. Hale"), book.text.index("Mrs. Hale") + 9)
    full = replace(
        annotations,
        mentions=(
            replace(annotations.mentions[0], category=EntityCategory.FACILITY, entity=3, confidence=0.25),
            *annotations.mentions[1:],
        ),
        quotes=(replace(annotations.quotes[0], type=QuoteType.EXPLICIT), *annotations.quotes[1:]),
        tellers=(Teller(book.chapters[1].span, "vane"),),
        merges=(Merge("tom", "Tom", "Tom Hale", 0.9, "the same given name", 7),),
        doubts=(Doubt("tom", "vane", 0.4, "both are by the door"),),
        traits=(Trait("hale", TraitKind.DOES, hale, "open", "tom", True, "could", Tense.PAST, True),),
    )
    document = json.loads(json.dumps(to_json(book, full)))
    known = document["mentions"][0]
    assert (known["category"], known["entity"], known["confidence"]) == ("FAC", 3, 0.25)
    assert document["mentions"][1]["entity"] is None
    assert document["quotes"][0]["quote_type"] == "explicit"
    second = book.chapters[1].span
    assert document["tellers"] == [{"start": second.start, "end": second.end, "character": "vane"}]
    assert document["merges"] == [
        {
            "character": "tom",
            "name": "Tom",
            "other": "Tom Hale",
            "confidence": 0.9,
            "evidence": "the same given name",
            "at": 7,
        }
    ]
    assert [(d["one"], d["other"], d["evidence"]) for d in document["doubts"]] == [
        ("tom", "vane", "both are by the door")
    ]
    assert document["traits"] == [
        {
            "start": hale.start,
            "end": hale.end,
            "character": "hale",
            "kind": "does",
            "lemma": "open",
            "other": "tom",
            "negated": True,
            "modal": "could",
            "tense": "past",
            "quoted": True,
        }
    ]


def test_same_input_same_document(book: Book, annotations: Annotations) -> None:
    assert json.dumps(to_json(book, annotations)) == json.dumps(to_json(book, annotations))


def test_unresolved_is_null(book: Book, annotations: Annotations) -> None:
    characters = {m["character"] for m in to_json(book, annotations)["mentions"]}
    assert None in characters
    assert all(c is None or isinstance(c, str) for c in characters)
