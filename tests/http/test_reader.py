"""A chapter to read and the network of its people, over HTTP: true offsets, and nothing past the gate."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import httpx

from books.reading import read
from coref.types import Annotations, Character, CharacterKind, Quote
from service.usecases.network import network
from tests.http.conftest import Shelf
from tests.http.story import STORY
from tests.http.test_previews import Desk


def test_a_chapter_with_its_people_and_its_talk(shelf: Shelf) -> None:
    leaf = shelf.json("/chapters/1")
    assert (leaf["book"], leaf["number"], leaf["chapters"]) == (shelf.book["id"], 1, 2)
    known = {c["id"] for c in shelf.json("/characters")["items"]}
    marks = 0
    for paragraph in leaf["paragraphs"]:
        start, end = paragraph["span"]["start"], paragraph["span"]["end"]
        assert STORY[start:end] == paragraph["text"]
        for mark in paragraph["mentions"]:
            assert start <= mark["span"]["start"] < mark["span"]["end"] <= end
            assert mark["character"] in known
        marks += len(paragraph["mentions"])
        for quote in paragraph["quotes"]:
            assert quote["span"]["start"] < end
            assert quote["span"]["end"] > start
            assert quote["speaker"] is None or quote["speaker"] in known
    indices = [p["index"] for p in leaf["paragraphs"]]
    assert all(b == a + 1 for a, b in pairwise(indices))
    assert marks
    in_chapter = sum(c["mentions_by_chapter"][0] for c in shelf.json("/characters")["items"])
    assert marks == in_chapter


def test_a_chapter_past_the_gate_is_none(shelf: Shelf) -> None:
    assert shelf.get("/chapters/2", upto="1").json()["code"] == "gate_invalid"
    assert shelf.get("/chapters/3").json()["code"] == "chapter_unknown"
    assert shelf.get("/chapters/0").status_code == 422
    assert shelf.json("/chapters/1", upto="1")["chapters"] == 1


def test_edges_rest_on_paragraphs_that_both_are_in(shelf: Shelf) -> None:
    found = shelf.json("/network")
    ids = [p["id"] for p in found["people"]]
    assert found["edges"]
    for edge in found["edges"]:
        assert edge["one"] != edge["other"]
        assert {edge["one"], edge["other"]} <= set(ids)
        assert edge["together"] + edge["spoken"] > 0
    weights = [e["weight"] for e in found["edges"]]
    assert weights == sorted(weights, reverse=True)
    assert len(shelf.json("/network", k="2")["people"]) == 2


def test_the_network_grows_with_what_has_been_read(shelf: Shelf) -> None:
    early, whole = shelf.json("/network", upto="1"), shelf.json("/network")
    assert {p["id"] for p in early["people"]} < {p["id"] for p in whole["people"]}
    assert all(set(e["chapters"]) <= {1} for e in early["edges"])


def test_meetings_are_what_an_edge_rests_on(shelf: Shelf) -> None:
    for edge in shelf.json("/network")["edges"]:
        found = shelf.json("/meetings", name=[edge["one"], edge["other"]], limit="200")
        assert found["people"] == [edge["one"], edge["other"]]
        assert sum(m["together"] for m in found["items"]) == edge["together"]
        assert sum(len(m["quotes"]) for m in found["items"]) == edge["spoken"]
        assert sorted({m["chapter"] for m in found["items"]}) == edge["chapters"]
        starts = [m["span"]["start"] for m in found["items"]]
        assert starts == sorted(set(starts))
        for meeting in found["items"]:
            assert STORY[meeting["span"]["start"] : meeting["span"]["end"]] == meeting["text"]
            assert meeting["together"] or meeting["quotes"]


def test_people_meet_in_the_chapter_where_one_speaks_to_the_other() -> None:
    book = read(STORY.encode())
    one, other = (Character(key, key, (), CharacterKind.PERSON, None, 1, 0) for key in ("margaret", "agnes"))
    said = Quote(book.paragraphs[-1].span, one.id, other.id, 1.0)
    view: Any = SimpleNamespace(book=book, annotations=Annotations("by-hand/1", (one, other), (), (said,)))
    (edge,) = network(view).edges
    assert (edge.together, edge.spoken, edge.weight, edge.chapters) == (0, 1, 1.5, (1,))


def test_meetings_come_in_pages_and_stop_at_the_gate(shelf: Shelf) -> None:
    edge = shelf.json("/network")["edges"][0]
    pair = [edge["one"], edge["other"]]
    whole = shelf.json("/meetings", name=pair, limit="200")
    assert whole["total"] == len(whole["items"]) > 1
    assert whole["next"] is None
    first = shelf.json("/meetings", name=pair, limit="1")
    second = shelf.json("/meetings", name=pair, limit="200", cursor=first["next"])
    assert first["items"] + second["items"] == whole["items"]
    assert (
        shelf.get("/meetings", name=pair, upto="1", cursor=first["next"]).json()["code"] == "cursor_invalid"
    )
    early = shelf.json("/meetings", name=pair, limit="200", upto="1")
    assert [m for m in whole["items"] if m["chapter"] == 1] == early["items"]


def test_nobody_meets_themselves_or_strangers(shelf: Shelf) -> None:
    someone = shelf.json("/network")["people"][0]["id"]
    assert shelf.json("/meetings", name=[someone, someone])["items"] == []
    assert shelf.get("/meetings", name=[someone]).status_code == 422
    assert shelf.get("/meetings", name=[someone, "Nobody At All"]).json()["code"] == "character_unknown"


ABROAD = "CHAPTER I. Home\n\nAnn Hale left London. Ann Hale saw London again, and she wept.\n"


def test_a_name_that_is_taken_for_a_places_can_be_given_to_somebody(native_client: httpx.Client) -> None:
    desk = Desk(native_client, ABROAD)
    (paragraph,) = [p for p in desk.get("/chapters/1")["paragraphs"] if p["things"]]
    names = [ABROAD[t["span"]["start"] : t["span"]["end"]] for t in paragraph["things"]]
    assert names == ["London", "London"]
    assert {t["kind"] for t in paragraph["things"]} == {"PROP"}
    places = {t["span"]["start"] for t in paragraph["things"]}
    assert places.isdisjoint(m["span"]["start"] for m in paragraph["mentions"] + paragraph["unlisted"])
    desk.post("/decisions", {"kind": "mention", "name": "Jack London", "aliases": ["London"]})
    (paragraph,) = [p for p in desk.get("/chapters/1")["paragraphs"] if p["index"] == paragraph["index"]]
    assert not paragraph["things"]
    jack = desk.id("Jack London")
    assert {m["span"]["start"] for m in paragraph["mentions"] if m["character"] == jack} == places
