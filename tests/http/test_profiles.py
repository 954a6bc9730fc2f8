"""The card of a character and the lines of the list, over HTTP: cited, gated, and everybody is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from books.reading import read
from books.types import Span
from generation.story.quotation import Quotation
from generation.types import Citation
from retrieval.types import Category
from service.wire.answers import CitationOut
from service.wire.profiles import ProfileOut, QuotationOut, WhoLinesOut
from tests.http.conftest import Shelf
from tests.http.story import STORY

AT = "/characters/Agnes/profile"
DOCTOR = "/characters/Dr. Pell/profile"


@pytest.fixture
def shelf(native_shelf: Shelf) -> Shelf:
    """Who is meant by a pronoun decides what may be quoted, and the resolver `rules` does not say it."""
    return native_shelf


def citations(value: Any) -> Iterator[CitationOut]:
    if isinstance(value, dict):
        if {"span", "quote"} <= set(value):
            yield CitationOut.model_validate(value)
        for inner in value.values():
            yield from citations(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from citations(inner)


def ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("other", "speaker", "character") and isinstance(inner, str):
                yield inner
            if name == "mentions":
                yield from inner
            yield from ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from ids(inner)


def test_it_says_who_they_are_and_where(shelf: Shelf) -> None:
    told = ProfileOut.model_validate(shelf.json(AT))
    sister = shelf.person("Margaret Vane")
    assert told.character.name == "Agnes Vane"
    doctor = ProfileOut.model_validate(shelf.json(DOCTOR))
    assert [" ".join(c.quote.split()) for c in doctor.who_citations] == [doctor.who.strip("“”")]
    assert "stout man" in doctor.who
    assert told.role
    assert sister["id"] in {c.other for c in told.company}
    assert told.presence.chapters == [1, 2]
    assert told.speech.quotes == 3


def test_looks_are_the_words_of_the_book(shelf: Shelf) -> None:
    told = ProfileOut.model_validate(shelf.json(DOCTOR))
    quotations = [q.text for q in (*told.role, *told.looks, *told.nature, *told.turning_points)]
    assert any("a stout man with a kind voice" in text for text in (told.who, *quotations))


def test_everything_is_cited(shelf: Shelf) -> None:
    found = list(citations(shelf.json(AT)))
    assert len(found) > 3
    for citation in found:
        assert STORY[citation.span.start : citation.span.end] == citation.quote


def test_everybody_in_it_is_named(shelf: Shelf) -> None:
    for person in shelf.json("/characters")["items"]:
        told = shelf.json(f"/characters/{person['id']}/profile")
        known = {p["id"] for p in (*told["people"], told["character"])}
        assert set(ids(told)) <= known


def test_turning_points_are_in_story_order(shelf: Shelf) -> None:
    starts = [q["citation"]["span"]["start"] for q in shelf.json(AT)["turning_points"]]
    assert starts == sorted(starts)


def test_behind_the_gate(shelf: Shelf) -> None:
    told = shelf.json(AT, upto="1")
    end = STORY.index("CHAPTER II.")
    assert list(citations(told))
    assert all(citation.span.end <= end for citation in citations(told))
    assert told["presence"]["chapters"] == [1]
    assert "Captain" not in str(told)
    answer = shelf.get("/characters/Captain Roe/profile", upto="1")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_yet_met")


def test_nobody_and_somebody_of_whom_little_is_said(shelf: Shelf) -> None:
    assert shelf.get("/characters/Heathcliff/profile").status_code == 404
    gates = (f"p:{number}" for number in range(30))
    at = "/characters/Captain Roe"
    upto = next(gate for gate in gates if shelf.get(at, upto=gate).status_code == 200)
    told = ProfileOut.model_validate(shelf.json(f"{at}/profile", upto=upto))
    assert told.little
    assert told.change is None


def test_a_reader_who_has_it_is_told_so(shelf: Shelf) -> None:
    for path in (AT, "/who"):
        etag = shelf.get(path).headers["etag"]
        assert shelf.client.get(f"{shelf.at}{path}", headers={"If-None-Match": etag}).status_code == 304


def test_the_list_says_who_everybody_is(shelf: Shelf) -> None:
    lines = WhoLinesOut.model_validate(shelf.json("/who")).items
    cast = shelf.json("/characters")["items"]
    assert [(line.id, line.name) for line in lines] == [(c["id"], c["name"]) for c in cast]
    for line in lines:
        card = ProfileOut.model_validate(shelf.json(f"/characters/{line.id}/profile"))
        assert (line.who, line.citations) == (card.who, card.who_citations)
    assert len(shelf.json("/who", k=1)["items"]) == 1
    assert shelf.get("/who", k=0).status_code == 422


def test_the_list_behind_the_gate(shelf: Shelf) -> None:
    told = shelf.json("/who", upto="1")
    end = STORY.index("CHAPTER II.")
    assert "Roe" not in str(told)
    assert all(citation.span.end <= end for citation in citations(told))


@pytest.mark.parametrize(("text", "marks"), [("他說「請坐」。", "『』"), ("他说“请坐”。", "‘’")])
def test_marks_inside_a_quotation_are_those_of_the_books_script(text: str, marks: str) -> None:
    book = read(("第一回\n\n" + text * 40).encode())
    said = Quotation(
        text="‘好’",
        citation=Citation(Span(5, 5 + len(text)), 0),
        character="he",
        category=Category.EVENT,
        speaker=None,
        tagged=False,
        certainty=1.0,
        worth=1.0,
        alone=1.0,
        by_category={},
    )
    assert QuotationOut.of(said, book=book).text == f"{marks[0]}好{marks[1]}"
