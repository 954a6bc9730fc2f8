"""The gate as people write it, and that nothing anywhere answers past it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from coref.errors import CharacterUnknown
from generation import serialise
from generation.errors import NotYetMet
from generation.types import Task
from service import spoiler_gate
from service.errors import ChapterUnknown, GateInvalid
from service.library import Library
from service.services import Services
from service.usecases import books, characters, name_lookup, searching
from service.usecases.searching import Asked
from tests.service.conftest import HOME, cast_of, describe


@pytest.mark.parametrize(("written", "chapters"), [("1", 1), ("ch:2", 2), ("Chapter:2", 2), (" 3 ", 3)])
def test_a_gate_is_a_chapter_that_was_finished(
    services: Services, book_id: str, written: str, chapters: int
) -> None:
    seen = Library(services, HOME).view(book_id, written).book
    assert len(seen.chapters) == chapters


def test_a_gate_may_be_a_paragraph(services: Services, book_id: str) -> None:
    whole = Library(services, HOME).view(book_id).book
    gated = Library(services, HOME).view(book_id, "p:1").book
    assert gated.paragraphs == whole.paragraphs[:2]


@pytest.mark.parametrize("written", ["", " ", "0", "4", "x", "ch:", "p:99", "-1", "1.5", "p:x"])
def test_a_gate_that_is_no_place_in_the_book_is_refused(
    services: Services, book_id: str, written: str
) -> None:
    with pytest.raises(GateInvalid):
        Library(services, HOME).view(book_id, written)


def test_a_chapter_that_is_not_there(services: Services, book_id: str) -> None:
    mine = Library(services, HOME)
    with pytest.raises(ChapterUnknown, match="The book has 3"):
        spoiler_gate.chapter(mine.view(book_id), 9)
    with pytest.raises(GateInvalid, match="in what you have read") as unread:
        spoiler_gate.chapter(mine.view(book_id, "1"), 2)
    assert unread.value.advice.startswith("Choose a chapter that you have read")


def test_later_names_do_not_exist_before_the_gate(services: Services, book_id: str) -> None:
    early, late = cast_of(services, book_id, upto="2"), cast_of(services, book_id)
    assert any("Ward" in alias.text for p in late for alias in p.character.aliases)
    told = json.dumps(
        [[p.character.id, p.character.name, [a.text for a in p.character.aliases]] for p in early]
    )
    assert "ward" not in told.lower()
    assert len(early[0].by_chapter) == 2


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS])
def test_no_answer_tells_what_comes_later(services: Services, book_id: str, task: Task) -> None:
    answer = describe(services, book_id, "Miss Lane", task=task, upto="2")
    told = json.dumps(serialise.to_dict(answer.portrait))
    assert "Lane" in told
    assert "Ward" not in told
    assert "ward-" not in told
    end = Library(services, HOME).view(book_id, "2").book.chapters[-1].span.end
    spans = [c.span.end for s in answer.portrait.sentences for c in s.citations]
    spans += [c.span.end for f in answer.portrait.facts for c in f.verdict.evidence]
    assert spans
    assert max(spans) <= end


def test_passages_end_at_the_gate(services: Services, book_id: str) -> None:
    mine = Library(services, HOME)
    found = searching.about(services, mine.view(book_id, "1"), key="Miss Lane", asked=Asked(upto="1"))
    assert found.passages
    assert all(p.chapter == 0 for p in found.passages)
    asked = Asked("Ward", retriever="bm25", upto="2")
    assert not searching.in_book(services, mine.view(book_id, asked.upto), asked=asked).passages
    assert not searching.in_library(mine, book_id=book_id, asked=asked).hits
    open_ = replace(asked, upto=None)
    assert searching.in_book(services, mine.view(book_id), asked=open_).passages


def test_a_name_from_later_is_not_known_yet_and_nothing_says_whether_it_comes(
    services: Services, book_id: str
) -> None:
    details = []
    for name in ("Mrs. Ward", "Mrs. Nobody"):
        with pytest.raises(NotYetMet) as caught:
            characters.one(Library(services, HOME).view(book_id, "2"), name)
        details.append(caught.value.detail.replace(name, "X"))
    assert details[0] == details[1]


def test_a_name_over_the_library_is_gated_too(services: Services, book_id: str) -> None:
    """Behind the gate Mrs. Ward may not turn out to be Miss Lane."""
    book, ward = name_lookup.only_one(Library(services, HOME), name="Mrs. Ward")
    found = characters.one(Library(services, HOME).view(book), ward).character
    assert {a.text for a in found.aliases} >= {"Miss Lane", "Mrs. Ward"}
    with pytest.raises(NotYetMet):
        name_lookup.only_one(Library(services, HOME), name="Mrs. Ward", upto="2")
    assert name_lookup.only_one(Library(services, HOME), name="Miss Lane", upto="2") == (book_id, ward)
    with pytest.raises(CharacterUnknown):
        name_lookup.only_one(Library(services, HOME), name="Mrs. Nobody")
    for upto in (None, "3"):
        assert name_lookup.only_one(Library(services, HOME), name="Miss Láne", upto=upto) == (book, ward)


def test_the_text_ends_at_the_gate(services: Services, book_id: str) -> None:
    told = "".join(books.text(Library(services, HOME).view(book_id, "2")))
    assert "Ward" not in told
    chapter = "".join(books.text(Library(services, HOME).view(book_id), chapter=2))
    assert chapter.startswith("CHAPTER II")
    with pytest.raises(GateInvalid):
        books.text(Library(services, HOME).view(book_id, "2"), chapter=3)
