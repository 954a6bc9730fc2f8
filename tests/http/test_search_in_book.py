"""Search in one book over HTTP."""

from __future__ import annotations

from tests.http.conftest import Shelf
from tests.http.test_story import get


def test_words_are_found_and_marked(shelf: Shelf) -> None:
    found = get(shelf, "search", q="letter")
    assert found["total"] == len(found["items"]) == sum(found["by_chapter"]) == 2
    for item in found["items"]:
        at = item["span"]["start"]
        marked = [item["text"][m["start"] - at : m["end"] - at] for m in item["marks"]]
        assert marked == ["letter"] * len(marked)
        assert marked
    assert found["words"] == []


def test_what_somebody_says_and_where_somebody_is(shelf: Shelf) -> None:
    said = get(shelf, "search", q='by:Agnes "you opened it"')
    assert said["total"] == 1
    assert get(shelf, "search", q='by:Margaret "you opened it"')["total"] == 0
    assert get(shelf, "search", q='with:"Captain Roe" wind')["total"] == 0
    assert get(shelf, "search", q="chapter:2 letter")["by_chapter"] == [0, 1]


def test_nothing_is_said_with_what_was_nearly_meant(shelf: Shelf) -> None:
    none = get(shelf, "search", q="leter submarine")
    assert (none["total"], none["items"]) == (0, [])
    assert [word["word"] for word in none["words"]] == ["leter", "submarine"]
    assert none["words"][0]["similar"] == ["letter"]


def test_nothing_after_the_place_one_has_read_to(shelf: Shelf) -> None:
    assert get(shelf, "search", q="sea")["total"] == 1
    gated = get(shelf, "search", q="sea", upto="1")
    assert gated["total"] == 0
    assert gated["by_chapter"] == [0]
    assert shelf.get("/search", q="with:Roe", upto="1").json()["code"] == "not_yet_met"


def test_pages(shelf: Shelf) -> None:
    first = get(shelf, "search", q="said:I", limit=1, order="story")
    rest = {"q": "said:I", "limit": 200, "order": "story", "cursor": first["next"]}
    second = get(shelf, "search", **rest)
    assert first["total"] == second["total"] == 1 + len(second["items"]) > 1
    assert first["items"][0]["span"]["end"] <= second["items"][0]["span"]["start"]
    assert second["next"] is None
    from_two = get(shelf, "search", q="said:I", order="story", offset=1, limit=1)
    assert from_two["items"] == second["items"][:1]
    assert get(shelf, "search", **rest | {"cursor": from_two["next"]})["items"] == second["items"][1:]
    assert shelf.get("/search", **rest | {"order": "score"}).json()["code"] == "cursor_invalid"


def test_a_name_of_two_and_a_line_without_sense_are_told(shelf: Shelf) -> None:
    two = shelf.get("/search", q="by:Vane lamp")
    assert two.status_code == 409
    assert len(two.json()["candidates"]) == 2
    assert shelf.get("/search", q="by:Nobody lamp").status_code == 404
    for line in ("chapter:x lamp", "chapter:3 lamp"):
        wrong = shelf.get("/search", q=line)
        assert (wrong.status_code, wrong.json()["code"]) == (422, "search_invalid")
    assert wrong.json()["detail"] == "There is no chapter 3: the book has 2."
    assert get(shelf, "search", q="chapter:2 lamp", upto="1")["total"] == 0
