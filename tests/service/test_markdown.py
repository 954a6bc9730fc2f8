"""Answers as Markdown: footnotes, sections, doubts, and what the text is from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from books.types import Span
from db.types import BookRecord, BookState, ReadingOptions
from generation.types import (
    Category,
    Citation,
    Claim,
    Fact,
    Label,
    Portrait,
    Prisma,
    Provenance,
    Sentence,
    Task,
    Usage,
    Verdict,
)
from service.shelf import OpenBook
from service.wire.markdown import answer_markdown
from tests.coref.conftest import make_book, person

TEXT = "Chapter 1\n\nAnn lit\nthe <b>lamp</b>.\n\nChapter 2\n\nShe left [1].\n"
LIT = Citation(Span(TEXT.index("Ann"), TEXT.index(".")), 0)
LEFT = Citation(Span(TEXT.index("She"), TEXT.index(" [")), 1)
RECORD = BookRecord(
    *("bk_1", "local", "", "lamp.txt", 1, BookState.READY, "The Lamp", None, "en", 9, "v1", None),
    options=ReadingOptions(),
    created=datetime.now(UTC),
    updated=datetime.now(UTC),
)


def portrait(*sentences: Sentence, facts: tuple[Fact, ...] = (), upto: int | None = None) -> Portrait:
    made = Provenance("0123456789abcdef", "hand/1", "none", "offline/1", "offline/1", 2, upto, 0)
    people = (person("ann", "Ann"),)
    return Portrait(Task.DESCRIPTION, people, sentences, facts, Prisma(0, 0, {}), made, Usage())


def markdown(said: Portrait) -> str:
    nothing: Any = None  # neither its index nor its people are asked
    opened = OpenBook(RECORD, 0, make_book(TEXT), nothing, nothing, nothing)
    return answer_markdown(said, view=opened.view(said.provenance.upto))


def test_sources_are_footnotes_each_once() -> None:
    said = portrait(
        Sentence("Ann lit the [lamp].", (LIT, LEFT)),
        Sentence("She left.", (LEFT,)),
        Sentence("Why?", (), heading="Later"),
        Sentence("Nobody knows.", (), line=True),
    )
    text = markdown(said)
    head, footer = text.split("[^1]: ")
    assert head == (
        "# Ann\n\nThe Lamp, lamp.txt\n\nAnn lit the \\[lamp].[^1][^2] She left.[^2]\n\n"
        "## Later\n\nWhy?\n\nNobody knows.\n\n"
    )
    first, second, _, made, end = footer.split("\n")
    assert first == "Chapter 1: Ann lit the \\<b>lamp\\</b>"
    assert (second, end) == ("[^2]: Chapter 2: She left", "")
    assert made.startswith("*Saved by Bookworm ")
    for known in ("text 0123456789ab, resolver hand/1, ", "generator offline/1, ", "2 corrections"):
        assert known in made


def test_what_the_book_does_not_bear_out_is_marked() -> None:
    claim = Claim("Ann left.", Category.EVENT, 0, Span(0, 9), "ann")
    wrong = Fact(claim, Verdict(Label.CONTRADICTED, 0.9, (), "offline/1"))
    said = portrait(Sentence("Ann left.", (LEFT,)), facts=(wrong,))
    text = markdown(said)
    assert "\n\nAnn left. *(the book says otherwise)*[^1]\n\n" in text


@pytest.mark.parametrize(
    ("upto", "told"),
    [
        (None, ""),
        (0, "From the book before its first chapter.\n\n"),
        (TEXT.index("lit"), "From the book up to a place in chapter 1.\n\n"),
        (TEXT.index("\n\nChapter 2"), "From the book up to the end of chapter 1.\n\n"),
        (TEXT.index("She"), "From the book up to a place in chapter 2.\n\n"),
        (len(TEXT), "From the book up to the end of chapter 2.\n\n"),
    ],
)
def test_how_much_of_the_book_was_used(upto: int | None, told: str) -> None:
    text = markdown(portrait(Sentence("Ann?", ()), upto=upto))
    assert f"\n\nThe Lamp, lamp.txt\n\n{told}Ann?\n\n" in text


def test_words_of_the_book_are_no_markup() -> None:
    said = portrait(Sentence("1. *Ann* left.", ()), Sentence("# 7 was dark.", (), line=True))
    text = markdown(said)
    assert "\n\n1\\. \\*Ann\\* left.\n\n\\# 7 was dark.\n\n" in text
