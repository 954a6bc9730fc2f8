"""Summaries, recaps and the timeline over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import sleep
from typing import Any

import httpx
import pytest

from db.types import Scope
from tests.http.conftest import Live, Shelf
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
    longer = get(shelf, "summary", **{**params, "words": 40})
    assert longer["usage"]["calls"] < first["usage"]["calls"], "the parts are not asked for again"
    again = get(shelf, "summary", **params, refresh=True)
    assert again["usage"]["calls"] == first["usage"]["calls"]
    assert get(shelf, "summary", dry_run=True, **params)["kept"]


def test_progress_is_streamed(shelf: Shelf) -> None:
    heard = stream(shelf.client, f"{shelf.at}/summary", **SCRIPTED, words="30", chunk="150", seed="6")
    kinds = [event.kind for event in heard]
    assert kinds[-1] == "answer"
    steps = [event.data for event in heard if event.kind == "progress"]
    assert steps
    assert all(0 < step["done"] <= step["parts"] for step in steps)


def test_every_strategy(shelf: Shelf) -> None:
    for strategy in ("hierarchical", "incremental", "ranked"):
        told = get(shelf, "recap", **SCRIPTED, strategy=strategy, words=30, chunk=150)
        assert told["provenance"]["strategy"] == strategy
        assert told["sentences"]
    best = get(shelf, "recap", **SCRIPTED, strategy="ranked", words=30, chunk=150, candidates=2)
    assert best["usage"]["calls"] > 0, "the second ones"
    assert 0 < best["kept"]["calls"] <= told["usage"]["calls"], "the first ones are there"
    assert any("Of 2 texts" in note for note in best["notes"])


@pytest.mark.parametrize(
    ("path", "params", "status"),
    [
        ("chapters/99/summary", {}, 404),
        ("chapters/0/summary", {}, 422),
        ("chapters/2/summary", {"upto": "1"}, 422),
        ("summary", {"strategy": "retrieve"}, 422),
        ("summary", {"strategy": "incremental"}, 422),
        ("summary", {"retriever": "bm25"}, 422),
        ("summary", {**SCRIPTED, "candidates": 2}, 422),
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


def test_only_who_administers_reads_where_the_server_is(shelf: Shelf, live: Live) -> None:
    question = {"question": "What happens in chapter 2?", "books": [shelf.book["id"]]}
    for scope, candid in ((Scope.READ, False), (Scope.ADMIN, True), (Scope.READ, False)):
        with live.client(live.key(library=shelf.library, scope=scope)) as client:
            told = client.get(f"{shelf.at}/summary", params={"generator": "openai"}).json()
            streaming = {"generator": "openai", "stream": True}
            asked = client.post("/questions", json=question, params=streaming).text
            streamed = client.get(f"{shelf.at}/summary", params=streaming).text
        note, reason = told["notes"][-1], told["rejected"]["reason"]
        assert ("The model server can't be reached." in note) is not candid
        for text in (note, reason, asked, streamed):
            assert ("http://127.0.0.1:9" in text) is candid
            assert candid or "BOOKWORM_OPENAI_URL" not in text


def test_an_unknown_book(client: httpx.Client) -> None:
    for path in ("summary", "recap", "timeline", "chapters/1/summary"):
        assert client.get(f"/books/bk_no/{path}").status_code == 404


PARTS = {**SCRIPTED, "words": "30", "chunk": "150"}


@pytest.fixture
def desk(live: Live, shelf: Shelf) -> Iterator[Shelf]:
    """The same library for somebody who may write."""
    with live.client(live.key(library=shelf.library)) as client:
        yield replace(shelf, client=client)


def order(desk: Shelf, path: str, **params: str) -> dict[str, Any]:
    answer = desk.client.post(f"{desk.at}/{path}", params=params)
    assert answer.status_code == 202, answer.text
    job: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/jobs/{job['id']}"
    return job


def ended(desk: Shelf, job: dict[str, Any]) -> dict[str, Any]:
    while True:
        now: dict[str, Any] = desk.client.get(f"/jobs/{job['id']}").json()
        if now["ended"]:
            return now
        sleep(0.05)


@pytest.mark.parametrize("path", ["summary", "recap", "chapters/2/summary"])
def test_written_in_the_background(desk: Shelf, path: str) -> None:
    params = {**PARTS, "seed": "11", "upto": "2", "refresh": "true"}
    job = order(desk, path, **params)
    assert (job["kind"], job["book"]) == ("answer", desk.book["id"])
    done = ended(desk, job)
    assert (done["state"], done["progress"], done["error"]) == ("succeeded", 1.0, None)
    assert "refresh" not in done["answer"]
    where = done["answer"].removeprefix("/v1")
    assert desk.client.get(f"{where}&dry_run=true").json()["kept"]
    told = desk.client.get(where).json()
    assert told["provenance"]["upto"]
    assert told["sentences"]
    assert done["id"] in [
        j["id"] for j in desk.client.get("/jobs", params={"book": done["book"]}).json()["items"]
    ]


def test_what_has_failed_in_the_background_can_be_tried_again(desk: Shelf) -> None:
    """The offline answer does not stand in: somebody who waits for the model's would never get it."""
    job = ended(desk, order(desk, "summary", generator="openai", seed="4"))
    assert (job["state"], job["error_code"]) == ("failed", "model_server_failed")
    again = desk.client.post(f"/jobs/{job['id']}/retry")
    assert again.status_code == 202
    assert again.json()["id"] != job["id"]
    assert again.json()["answer"] == job["answer"]
    assert ended(desk, again.json())["state"] == "failed"
    done = ended(desk, order(desk, "summary", **PARTS, seed="12"))
    refused = desk.client.post(f"/jobs/{done['id']}/retry")
    assert (refused.status_code, refused.json()["remedy"]) == (409, "Read the answer at the job's `answer`.")


def test_nothing_is_queued_that_cannot_be_written(desk: Shelf) -> None:
    before = desk.client.get("/jobs").json()["items"]
    for path, params, status in (
        ("chapters/99/summary", {}, 404),
        ("summary", {"strategy": "retrieve"}, 422),
        ("recap", {"upto": "99"}, 422),
    ):
        answer = desk.client.post(f"{desk.at}/{path}", params=params)
        assert answer.status_code == status, answer.text
    assert desk.client.post("/books/bk_no/summary").status_code == 404
    assert desk.client.get("/jobs").json()["items"] == before


def test_a_key_that_only_reads_queues_nothing(shelf: Shelf) -> None:
    assert shelf.client.post(f"{shelf.at}/summary").json()["code"] == "scope_missing"
