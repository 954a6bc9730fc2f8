"""Summaries, recaps and the timeline over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.http.conftest import Shelf
from tests.http.test_streams import stream

SCRIPTED = {"generator": "scripted-model"}


def get(shelf: Shelf, path: str, **params: Any) -> dict[str, Any]:
    answer = shelf.client.get(f"{shelf.at}/{path}", params=params)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_the_timeline_has_the_main_event_of_each_chapter(shelf: Shelf) -> None:
    items = get(shelf, "timeline")["items"]
    chapters = get(shelf, "chapters")["chapters"]
    assert [i["chapter"] for i in items] == [c["number"] for c in chapters]
    assert [i["title"] for i in items] == [c["title"] for c in chapters]
    for item in items:
        assert item["citation"]["quote"].split()[0].strip("“‘") in item["text"]
        assert {p["id"] for p in item["people"]} <= {c["id"] for c in get(shelf, "characters")["items"]}


def test_a_summary_offline_quotes_the_book_and_has_no_facts(shelf: Shelf) -> None:
    told = get(shelf, "summary")
    assert told["task"] == "summary"
    assert told["chapter"] is None
    assert told["characters"] == told["facts"] == []
    assert told["usage"]["calls"] == 0
    assert {s["citations"][0]["chapter"] for s in told["sentences"]} == {1, 2}
    assert all(s["remark"] and s["line"] for s in told["sentences"])


def test_a_chapter_alone(shelf: Shelf) -> None:
    told = get(shelf, "chapters/2/summary")
    assert told["chapter"] == 2
    assert {s["citations"][0]["chapter"] for s in told["sentences"]} == {2}
    scripted = get(shelf, "chapters/2/summary", **SCRIPTED)
    assert scripted["chapter"] == 2
    assert {c["chapter"] for s in scripted["sentences"] for c in s["citations"]} == {2}


@pytest.mark.parametrize("path", ["summary", "recap", "timeline"])
def test_nothing_after_the_place_one_has_read_to(shelf: Shelf, path: str) -> None:
    told = get(shelf, path, upto="1")
    places = [i["citation"] for i in told["items"]] if path == "timeline" else _cited(told)
    assert places
    end = get(shelf, "chapters")["chapters"][0]["end"]
    assert all(place["span"]["end"] <= end for place in places)
    if path != "timeline":
        scripted = get(shelf, path, upto="1", **SCRIPTED)
        assert all(place["span"]["end"] <= end for place in _cited(scripted))


def _cited(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [c for s in told["sentences"] for c in s["citations"]]


def test_a_recap_ends_where_one_stopped(shelf: Shelf) -> None:
    told = get(shelf, "recap")
    headings = [s["heading"] for s in told["sentences"] if s["heading"]]
    assert headings[0] == "So far"
    assert headings[1].startswith("Where you stopped: chapter 2")


def test_a_language_model_reads_in_parts_and_is_not_paid_twice(shelf: Shelf) -> None:
    params = {**SCRIPTED, "words": 30, "chunk": 150, "seed": 5}
    plan = get(shelf, "summary", dry_run=True, **params)
    first = get(shelf, "summary", **params)
    assert 1 < first["usage"]["calls"] <= plan["calls"]
    assert first["facts"], "what a model writes is checked"
    again = get(shelf, "summary", **params, refresh=True)
    assert again["usage"]["calls"] < first["usage"]["calls"], "only its facts are asked for again"
    assert [s["text"] for s in again["sentences"]] == [s["text"] for s in first["sentences"]]
    assert get(shelf, "summary", dry_run=True, **params)["kept"]


def test_progress_is_streamed(shelf: Shelf) -> None:
    heard = stream(shelf.client, f"{shelf.at}/summary", **SCRIPTED, words="30", chunk="150", seed="6")
    kinds = [event.kind for event in heard]
    assert kinds[-1] == "answer"
    steps = [event.data for event in heard if event.kind == "progress"]
    assert steps
    assert all(0 < step["done"] <= step["parts"] for step in steps)


def test_both_strategies(shelf: Shelf) -> None:
    for strategy in ("hierarchical", "incremental"):
        told = get(shelf, "recap", **SCRIPTED, strategy=strategy, words=30, chunk=150)
        assert told["provenance"]["strategy"] == strategy
        assert told["sentences"]


@pytest.mark.parametrize(
    ("path", "params", "status"),
    [
        ("chapters/99/summary", {}, 422),
        ("chapters/0/summary", {}, 422),
        ("chapters/2/summary", {"upto": "1"}, 422),
        ("summary", {"strategy": "retrieve"}, 422),
        ("summary", {"strategy": "incremental"}, 422),
        ("summary", {"retriever": "bm25"}, 422),
        ("summary", {**SCRIPTED, "chunk": 3}, 422),
        ("summary", {**SCRIPTED, "tokens": 10, "seed": 77}, 422),
        ("recap", {**SCRIPTED, "strategy": "lead"}, 422),
    ],
)
def test_what_cannot_be_done_is_said(shelf: Shelf, path: str, params: dict[str, Any], status: int) -> None:
    answer = shelf.client.get(f"{shelf.at}/{path}", params=params)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_people_are_not_described_incrementally(shelf: Shelf) -> None:
    who = get(shelf, "characters")["items"][0]["id"]
    answer = shelf.client.get(
        f"{shelf.at}/characters/{who}/description", params={**SCRIPTED, "strategy": "incremental"}
    )
    assert answer.status_code == 422
    assert "summaries" in answer.json()["detail"]


def test_a_model_that_does_not_answer_leaves_the_offline_summary(shelf: Shelf) -> None:
    told = get(shelf, "summary", generator="openai")
    assert told["rejected"]["generator"].startswith("openai/")
    assert told["provenance"]["generator"].startswith("offline/")
    assert told["sentences"]


def test_an_unknown_book(client: httpx.Client) -> None:
    for path in ("summary", "recap", "timeline", "chapters/1/summary"):
        assert client.get(f"/books/bk_no/{path}").status_code == 404
