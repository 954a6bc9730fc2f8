"""A question to several books over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from tests.http.conftest import Shelf
from tests.http.test_streams import told

ASKED = "Where did Margaret Vane light the lamp?"


def ask(shelf: Shelf, params: dict[str, str] | None = None, **body: Any) -> httpx.Response:
    return shelf.client.post("/questions", json={"question": ASKED, **body}, params=params)


def test_every_book_answers_or_is_listed(shelf: Shelf) -> None:
    for body in ({}, {"books": [shelf.book["id"]]}, {"upto": {shelf.book["id"]: "1"}}):
        found = ask(shelf, **body).json()
        told = [a["book"] for a in found["answers"]] + [b["id"] for b in found["silent"]]
        assert shelf.book["id"] in told
        assert len(told) == len(set(told))
        assert shelf.book["id"] not in {skipped["book"]["id"] for skipped in found["skipped"]}


def test_each_answer_is_streamed_when_it_is_ready(shelf: Shelf) -> None:
    asked = {"question": ASKED, "books": [shelf.book["id"]]}
    with shelf.client.stream("POST", "/questions", params={"stream": "true"}, json=asked) as response:
        *before, last = told(response)
    whole = ask(shelf, books=[shelf.book["id"]]).json()
    assert (last.kind, last.data) == ("answer", whole)
    assert [each.data for each in before if each.kind == "book"] == whole["answers"]
    assert ask(shelf, {"stream": "true", "dry_run": "true"}).status_code == 422
    assert ask(shelf, {"stream": "true"}, books=["bk_none"]).status_code == 404


def test_a_dry_run_has_plans(shelf: Shelf) -> None:
    found = ask(shelf, {"dry_run": "true"}, books=[shelf.book["id"]]).json()
    assert set(found) == {"plans", "silent", "skipped"}
    assert {p["book"] for p in found["plans"]} | {b["id"] for b in found["silent"]} == {shelf.book["id"]}


def test_what_makes_no_sense_is_refused(shelf: Shelf) -> None:
    assert ask(shelf, books=["bk_none"]).status_code == 404
    assert ask(shelf, upto={"bk_none": "1"}).status_code == 404
    assert ask(shelf, question=" ").status_code == 422
    assert ask(shelf, {"upto": "1"}).status_code == 422
    assert ask(shelf, books=[shelf.book["id"]], upto={shelf.book["id"]: "99"}).status_code == 422
