"""Passages and the search of the library, over real HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.http.conftest import Live, Shelf, upload
from tests.http.story import STORY, story

WORDS = "letter hand morning"


def test_each_passage_says_why_it_is_there(shelf: Shelf) -> None:
    found = shelf.json("/characters/Agnes/passages", retriever="hybrid", k=4, order="score")["items"]
    scores = [passage["score"] for passage in found]
    assert scores == sorted(scores, reverse=True)
    for passage in found:
        assert passage["sources"] == [finding["source"] for finding in passage["found"]]
        assert {f["source"] for f in passage["found"]} <= {"mentions", "bm25", "dense"}
        assert all(f["rank"] >= 1 for f in passage["found"])
        assert passage["locator"] is None
    assert any(passage["mentions"] for passage in found)
    assert any(len(passage["found"]) > 1 for passage in found)


def test_neighbours_come_along_and_say_so(shelf: Shelf) -> None:
    path, how = "/passages", {"q": WORDS, "retriever": "bm25", "k": 1}
    (alone,) = shelf.json(path, **how)["items"]
    with_more = shelf.json(path, **how, neighbours=1)["items"]
    beside = {p["index"]: p["found"] for p in with_more if p["index"] != alone["index"]}
    assert beside
    assert all(abs(index - alone["index"]) == 1 for index in beside)
    assert all([f["source"] for f in found] == ["neighbour"] for found in beside.values())


def test_a_budget_leaves_out_what_does_not_fit(shelf: Shelf) -> None:
    for path, how in (("/characters/Agnes/passages", {}), ("/passages", {"q": WORDS})):
        whole = shelf.json(path, k=10, **how)["items"]
        some = shelf.json(path, k=10, budget=60, **how)["items"]
        assert 0 < len(some) < len(whole)
        assert shelf.json(path, budget=1, **how)["items"] == []


def test_words_in_one_book(shelf: Shelf) -> None:
    found = shelf.json("/passages", q=WORDS)
    assert (found["character"], found["retriever"]) == (None, "hybrid")
    assert "letter" in found["items"][0]["text"]
    for passage in found["items"]:
        assert STORY[passage["span"]["start"] : passage["span"]["end"]] == passage["text"]
    in_order = [p["index"] for p in shelf.json("/passages", q=WORDS, order="story")["items"]]
    assert in_order == sorted(in_order)
    gated = shelf.json("/passages", q=WORDS, upto="1")["items"]
    assert {p["chapter"] for p in gated} == {1}


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"q": ""},
        {"q": "   "},
        {"q": "x", "retriever": "mentions"},
        {"q": "x", "k": 0},
        {"q": "x", "k": 201},
        {"q": "x", "budget": 0},
        {"q": "x", "neighbours": -1},
        {"q": "x", "neighbours": 6},
        {"q": "x", "per_book": 0},
    ],
)
def test_wrong_questions_are_refused(shelf: Shelf, parameters: dict[str, object]) -> None:
    answers = [shelf.client.get("/search", params=parameters)]  # type: ignore[arg-type]
    if "per_book" not in parameters:
        answers.append(shelf.get("/passages", **parameters))
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")
        assert answer.headers["content-type"] == "application/problem+json"


def test_an_empty_library_has_nothing(client: httpx.Client) -> None:
    found = client.get("/search", params={"q": WORDS})
    assert found.status_code == 200
    assert found.json() == {"retriever": "hybrid", "items": [], "books": 0, "skipped": []}


@pytest.fixture(scope="module")
def two(live: Live) -> list[dict[str, str]]:
    with live.client(live.key(library="two")) as writer:
        return [upload(writer), upload(writer, story(1))]


@pytest.mark.parametrize("retriever", ["bm25", "dense", "hybrid"])
def test_the_library_has_one_ranking(live: Live, two: list[dict[str, str]], retriever: str) -> None:
    with live.client(live.key(library="two")) as client:
        how = {"q": WORDS, "retriever": retriever, "k": 6}
        found = client.get("/search", params=how).json()
        capped = client.get("/search", params={**how, "per_book": 1}).json()
    assert (found["retriever"], found["books"], found["skipped"]) == (retriever, 2, [])
    hits = found["items"]
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert {hit["book"]["id"] for hit in hits} == {book["id"] for book in two}
    assert {hit["book"]["title"] for hit in hits} == {book["title"] for book in two}
    for book in two:
        ranks = [hit["rank_in_book"] for hit in hits if hit["book"]["id"] == book["id"]]
        assert ranks == list(range(1, len(ranks) + 1))
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert sorted(hit["book"]["id"] for hit in capped["items"]) == sorted(book["id"] for book in two)
    assert all(hit["rank_in_book"] == 1 for hit in capped["items"])


def test_the_library_marks_words_and_heeds_phrases(live: Live, two: list[dict[str, str]]) -> None:
    with live.client(live.key(library="two")) as client:
        (first, *_) = client.get("/search", params={"q": "letters"}).json()["items"]
        at = first["span"]["start"]
        marked = [first["text"][m["start"] - at : m["end"] - at] for m in first["marks"]]
        assert {word.casefold() for word in marked} == {"letter"}
        for hit in client.get("/search", params={"q": '"the lamp"'}).json()["items"]:
            assert "the lamp" in " ".join(hit["text"].casefold().split())
        assert client.get("/search", params={"q": '"lamp the"'}).json()["items"] == []
        refused = client.get("/search", params={"q": "by:Agnes lamp"})
        assert (refused.status_code, refused.json()["code"]) == (422, "search_invalid")


def test_another_library_is_not_searched(client: httpx.Client, two: list[dict[str, str]]) -> None:
    assert client.get("/search", params={"q": WORDS}).json()["items"] == []
    answer = client.get(f"/books/{two[0]['id']}/passages", params={"q": WORDS})
    assert (answer.status_code, answer.json()["code"]) == (404, "book_unknown")


def test_the_same_search_is_not_sent_twice(shelf: Shelf) -> None:
    for path in ("/search", f"{shelf.at}/passages"):
        first = shelf.client.get(path, params={"q": WORDS})
        again = shelf.client.get(path, params={"q": WORDS}, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
