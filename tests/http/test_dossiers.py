"""What is known of a character, over HTTP: cited, gated, and as much as is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from service.wire.answers import CitationOut
from service.wire.dossiers import DossierOut
from tests.http.conftest import Shelf
from tests.http.story import STORY

AT = "/characters/Agnes/dossier"
DOCTOR = "/characters/Dr. Pell/dossier"


@pytest.fixture
def shelf(native_shelf: Shelf) -> Shelf:
    """Ties rest on who is meant by a pronoun, which the resolver `rules` does not say."""
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


def test_it_says_who_they_are_and_where(shelf: Shelf) -> None:
    told = DossierOut.model_validate(shelf.json(AT))
    sister = shelf.person("Margaret Vane")
    assert told.character.name == "Agnes Vane"
    assert (sister["id"], "sister") in {(t.other, t.term) for t in told.ties}
    assert sister["id"] in {c.other for c in told.company}
    assert sister["name"] in {p.name for p in told.people}
    assert told.presence.chapters == [1, 2]
    assert sum(told.presence.by_chapter) <= told.character.mention_count
    assert told.speech.quotes == 3
    doctor = DossierOut.model_validate(shelf.json(DOCTOR))
    assert [role.head for role in doctor.roles] == ["doctor"]
    assert [(stroke.text, stroke.quoted) for stroke in doctor.portrait] == [
        ("a stout man", False),
        ("a kind voice", False),
    ]
    assert "Dr. Pell" not in doctor.portrait[0].citations[0].quote
    assert {"love", "fear"} <= {deed.lemma for deed in doctor.deeds}


def test_everything_is_cited(shelf: Shelf) -> None:
    found = list(citations(shelf.json(AT)))
    assert len(found) > 3
    for citation in found:
        assert STORY[citation.span.start : citation.span.end] == citation.quote


def test_behind_the_gate(shelf: Shelf) -> None:
    told = shelf.json(AT, upto="1")
    end = STORY.index("CHAPTER II.")
    assert all(citation.span.end <= end for citation in citations(told))
    assert told["presence"]["chapters"] == [1]
    assert "Captain" not in str(told)
    answer = shelf.get("/characters/Captain Roe/dossier", upto="1")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_yet_met")


def test_as_much_as_is_wanted(shelf: Shelf) -> None:
    little, much = shelf.json(DOCTOR, k=1, places=0), shelf.json(DOCTOR, k=200)
    assert max(len(little[part]) for part in ("ties", "roles", "qualities", "deeds", "company")) == 1
    assert (len(little["portrait"]), len(much["portrait"])) == (1, 2)
    assert not [c for stroke in little["portrait"] for c in stroke["citations"]]
    assert all(stroke["citations"] for stroke in much["portrait"])
    assert len(much["deeds"]) > 1
    assert little["deeds"][0]["weight"] == max(deed["weight"] for deed in much["deeds"])
    starts = [deed["citation"]["span"]["start"] for deed in much["deeds"]]
    assert starts == sorted(starts)


@pytest.mark.parametrize("parameters", [{"k": 0}, {"k": 1001}, {"places": -1}])
def test_wrong_options(shelf: Shelf, parameters: dict[str, Any]) -> None:
    assert shelf.get(AT, **parameters).status_code == 422


def test_nobody_and_somebody_met_once(shelf: Shelf) -> None:
    assert shelf.get("/characters/Heathcliff/dossier").status_code == 404
    for person in shelf.json("/characters")["items"]:
        DossierOut.model_validate(shelf.json(f"/characters/{person['id']}/dossier"))


def test_a_reader_who_has_it_is_told_so(shelf: Shelf) -> None:
    etag = shelf.get(AT).headers["etag"]
    assert shelf.client.get(f"{shelf.at}{AT}", headers={"If-None-Match": etag}).status_code == 304
