"""Answers as Markdown: footnotes, sections, doubts, and what the text is from."""

from __future__ import annotations

from datetime import UTC, datetime

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


def test_sources_are_footnotes_each_once() -> None:
    said = portrait(
        Sentence("Ann lit the [lamp].", (LIT, LEFT)),
        Sentence("She left.", (LEFT,)),
        Sentence("Why?", (), heading="Later"),
        Sentence("Nobody knows.", (), line=True),
    )
    text = answer_markdown(said, record=RECORD, book=make_book(TEXT))
    head, footer = text.split("[^1]: ")
    assert head == (
        "# Ann\n\nThe Lamp, lamp.txt\n\nAnn lit the \\[lamp].[^1][^2] She left.[^2]\n\n"
        "## Later\n\nWhy?\n\nNobody knows.\n\n"
    )
    first, second, _, made, end = footer.split("\n")
    assert first == "Chapter 1: Ann lit the \\<b>lamp\\</b>"
    assert (second, end) == ("[^2]: Chapter 2: She left", "")
    assert made.startswith("*Bookworm ")
    for known in ("text 0123456789ab, resolver hand/1, ", "generator offline/1, ", "2 corrections"):
        assert known in made


def test_what_the_book_does_not_bear_out_is_marked_and_the_gate_is_named() -> None:
    claim = Claim("Ann left.", Category.EVENT, 0, Span(0, 9), "ann")
    wrong = Fact(claim, Verdict(Label.CONTRADICTED, 0.9, (), "offline/1"))
    said = portrait(Sentence("Ann left.", (LEFT,)), facts=(wrong,), upto=TEXT.index("Chapter 2"))
    text = answer_markdown(said, record=RECORD, book=make_book(TEXT))
    assert "\n\nAs far as it has been read, up to chapter 1.\n\n" in text
    assert "\n\nAnn left. *(the book says otherwise)*[^1]\n\n" in text


def test_words_of_the_book_are_no_markup() -> None:
    said = portrait(Sentence("1. *Ann* left.", ()), Sentence("# 7 was dark.", (), line=True))
    text = answer_markdown(said, record=RECORD, book=make_book(TEXT))
    assert "\n\n1\\. \\*Ann\\* left.\n\n\\# 7 was dark.\n\n" in text
