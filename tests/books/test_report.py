"""The import report: everything that was understood, as plain values."""

from __future__ import annotations

import json

from books.reading import read
from books.report import structure, tell, words_by_chapter
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

TEXT = "A licence\n\nI\n\nHAM. Words, words.\n\nII\n\nHe goes [1] out.\n\nA note\n\nAnother\n"


def span(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words))


def paragraph(index: int, chapter: int, words: str, kind: ParagraphKind) -> Paragraph:
    return Paragraph(index, chapter, span(words), kind, f"page.xhtml#p{index}")


BOOK = Book(
    text=TEXT,
    title="Words",
    author=None,
    chapters=(
        Chapter(0, "I", Span(11, TEXT.index("II"))),
        Chapter(1, "II", Span(TEXT.index("II"), TEXT.index("A note"))),
    ),
    paragraphs=(
        paragraph(0, 0, "I", ParagraphKind.HEADING),
        paragraph(1, 0, "HAM. Words, words.", ParagraphKind.SPEECH),
        paragraph(2, 1, "II", ParagraphKind.HEADING),
        paragraph(3, 1, "He goes [1] out.", ParagraphKind.DIRECTION),
    ),
    excluded=(
        Exclusion(span("A licence"), Part.FRONT, "licence header"),
        Exclusion(span("[1]"), Part.APPARATUS, "mark of a footnote"),
        Exclusion(span("A note"), Part.BACK, "notes"),
        Exclusion(span("Another"), Part.BACK, "notes"),
    ),
    report=ImportReport("epub", "utf-8", "en", "acts", ("Look at it.",), "declared"),
    play=Play((Speech(span("HAM."), span("Words, words.")),), (span("out"),)),
)


def test_all_that_was_understood_is_told() -> None:
    told = tell(BOOK)
    cut = told.pop("cut")
    assert told == {
        "format": "epub",
        "encoding": "utf-8",
        "encoding_by": "declared",
        "language": "en",
        "title": "Words",
        "author": None,
        "chapters": 2,
        "chapters_by": "acts",
        "paragraphs": 4,
        "words": 9,
        "play": True,
        "warnings": ["Look at it."],
    }
    assert [(one["part"], one["reason"], one["places"]) for one in cut] == [
        ("front", "licence header", 1),
        ("apparatus", "mark of a footnote", 1),
        ("back", "notes", 2),
    ]
    assert cut[2]["share"] == round(13 / len(TEXT), 4)


def test_it_is_nothing_but_plain_values() -> None:
    for said in (tell(BOOK), structure(BOOK), tell(read(b"It rained.")), structure(read(b"It rained."))):
        assert json.loads(json.dumps(said)) == said
        assert not [v for v in said.values() if type(v) not in (str, int, bool, list, dict, type(None))]


def test_the_structure_is_told_by_its_spans() -> None:
    told = structure(BOOK)
    assert [(c["number"], c["title"], c["words"]) for c in told["chapters"]] == [(1, "I", 4), (2, "II", 5)]
    assert told["paragraphs"][1] == {
        "index": 1,
        "chapter": 1,
        "start": 14,
        "end": 32,
        "kind": "speech",
        "locator": "page.xhtml#p1",
    }
    assert [TEXT[e["start"] : e["end"]] for e in told["excluded"]] == [
        "A licence",
        "[1]",
        "A note",
        "Another",
    ]
    (speech,) = told["play"]["speeches"]
    assert TEXT[speech["label"]["start"] : speech["label"]["end"]] == "HAM."
    assert TEXT[speech["start"] : speech["end"]] == "Words, words."
    assert [TEXT[d["start"] : d["end"]] for d in told["play"]["directions"]] == ["out"]
    assert structure(read(b"It rained."))["play"] is None


def test_words_of_the_chapters_are_those_of_the_book() -> None:
    assert sum(words_by_chapter(BOOK)) == BOOK.word_count
