"""Chapters over HTTP: listed up to the gate, corrected, taken back; refused when they can't be."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.http.conftest import WAIT, Live, Shelf, upload
from tests.http.story import STORY

MORNING = STORY.index("In the morning")
CAPTAIN = STORY.index("Captain Roe himself")


@pytest.fixture
def book(client: httpx.Client) -> dict[str, Any]:
    return upload(client)


def put(client: httpx.Client, book: dict[str, Any], *chapters: tuple[int, str]) -> httpx.Response:
    body = {"chapters": [{"start": start, "title": title} for start, title in chapters]}
    return client.put(f"/books/{book['id']}/chapters", json=body)


def listed(client: httpx.Client, book: dict[str, Any], **parameters: str) -> dict[str, Any]:
    answer = client.get(f"/books/{book['id']}/chapters", params=parameters)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def done(client: httpx.Client, answer: httpx.Response) -> None:
    assert answer.status_code == 202, answer.text
    job = answer.json()["job"]
    assert answer.headers["location"] == f"/v1/jobs/{job['id']}"
    until = time.monotonic() + WAIT
    while job["state"] in ("queued", "running"):
        assert time.monotonic() < until
        time.sleep(0.05)
        job = client.get(f"/jobs/{job['id']}").json()
    assert job["state"] == "succeeded", job


def test_the_chapters_as_they_were_found(shelf: Shelf) -> None:
    found = shelf.json("/chapters")
    assert (found["book"], found["by"]) == (shelf.book["id"], "headings")
    assert [c["number"] for c in found["chapters"]] == [1, 2]
    first, second = found["chapters"]
    assert STORY[first["start"] :].startswith("CHAPTER I.")
    assert first["end"] == second["start"]
    assert 0 < first["words"] < shelf.book["words"]
    assert first["words"] + second["words"] == shelf.book["words"]
    assert first["locator"] is None


def test_later_titles_are_behind_the_gate(shelf: Shelf) -> None:
    assert [c["number"] for c in shelf.json("/chapters", upto="1")["chapters"]] == [1]


def test_correcting_them(client: httpx.Client, book: dict[str, Any]) -> None:
    text = client.get(f"/books/{book['id']}/text").text
    done(client, put(client, book, (0, "The Lamp"), (CAPTAIN, "The  Captain")))
    found = listed(client, book)
    assert found["by"] == "reader"
    assert [(c["start"], c["title"]) for c in found["chapters"]] == [
        (0, "The Lamp"),
        (CAPTAIN, "The Captain"),
    ]
    assert client.get(f"/books/{book['id']}/text").text == text
    first = client.get(f"/books/{book['id']}/text", params={"upto": "1"}).text
    assert first == STORY[:CAPTAIN]
    now = client.get(f"/books/{book['id']}").json()
    assert (now["report"]["chapters_by"], now["outdated"]) == ("reader", False)


def test_what_is_listed_may_come_back_corrected(client: httpx.Client, book: dict[str, Any]) -> None:
    found = listed(client, book)
    same = client.put(f"/books/{book['id']}/chapters", json=found)
    assert (same.status_code, same.json()["job"]) == (200, None)
    found["chapters"][1] |= {"title": "In the Morning", "start": MORNING}
    done(client, client.put(f"/books/{book['id']}/chapters", json=found))
    again = client.put(f"/books/{book['id']}/chapters", json=listed(client, book))
    assert (again.status_code, again.json()["job"]) == (200, None)
    assert [c["title"] for c in listed(client, book)["chapters"]][1] == "In the Morning"


@pytest.mark.parametrize(("method", "path"), [("PUT", "/chapters"), ("POST", "/chapters/preview")])
def test_a_field_that_nobody_knows_is_refused(
    client: httpx.Client, book: dict[str, Any], method: str, path: str
) -> None:
    found = listed(client, book)
    strange = {**found["chapters"][1], "titel": "In the Morning"}
    for body in ({**found, "dry_run": True}, {**found, "chapters": [found["chapters"][0], strange]}):
        answer = client.request(method, f"/books/{book['id']}{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")
    assert listed(client, book) == found


def test_taking_the_correction_back(client: httpx.Client, book: dict[str, Any]) -> None:
    found = listed(client, book)
    assert client.delete(f"/books/{book['id']}/chapters").status_code == 200
    done(client, put(client, book, (0, "All of it")))
    done(client, client.delete(f"/books/{book['id']}/chapters"))
    assert listed(client, book) == found


def test_an_upload_of_the_same_book_keeps_the_correction(client: httpx.Client, book: dict[str, Any]) -> None:
    done(client, put(client, book, (0, "All of it")))
    assert upload(client)["id"] == book["id"]
    answer = client.post(
        "/books", files={"file": STORY.encode()}, data={"title": "Another"}, params={"wait": WAIT}
    )
    assert answer.json()["book"]["title"] == "Another"
    assert [c["title"] for c in listed(client, book)["chapters"]] == ["All of it"]


def test_answers_about_people_follow_the_corrected_chapters(
    client: httpx.Client, book: dict[str, Any]
) -> None:
    before = client.get(f"/books/{book['id']}/characters/Margaret").json()
    done(client, put(client, book, (0, "All of it")))
    after = client.get(f"/books/{book['id']}/characters/Margaret").json()
    assert after["mention_count"] == before["mention_count"]
    assert len(before["mentions_by_chapter"]) == 2
    assert len(after["mentions_by_chapter"]) == 1


def test_a_decision_holds_on_the_corrected_book(client: httpx.Client, book: dict[str, Any]) -> None:
    margaret = client.get(f"/books/{book['id']}/characters/Margaret").json()["id"]
    decision = {"kind": "rename", "character": margaret, "name": "The Keeper"}
    assert client.post(f"/books/{book['id']}/decisions", json=decision).status_code == 201
    done(client, put(client, book, (0, "All of it")))
    assert client.get(f"/books/{book['id']}/characters/The Keeper").status_code == 200


def test_of_many_corrections_at_once_one_counts_and_is_not_lost(
    client: httpx.Client, book: dict[str, Any]
) -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda n: put(client, book, (0, f"Chapter of {n}")), range(24)))
    assert {a.status_code for a in answers} <= {202, 409}
    taken = {f"Chapter of {n}" for n, a in enumerate(answers) if a.status_code == 202}
    refused = [a.json() for a in answers if a.status_code == 409]
    assert {problem["code"] for problem in refused} <= {"job_running"}
    until = time.monotonic() + WAIT
    while client.get("/jobs", params={"state": "succeeded"}).json()["items"][0]["id"] != last_job(client):
        assert time.monotonic() < until
        time.sleep(0.05)
    (title,) = [c["title"] for c in listed(client, book)["chapters"]]
    assert title in taken
    assert put(client, book, (0, title)).status_code == 200, "what is in force is what is kept"


def last_job(client: httpx.Client) -> str:
    return str(client.get("/jobs").json()["items"][0]["id"])


@pytest.mark.parametrize(
    ("chapters", "code"),
    [
        ([], "request_invalid"),
        ([{"start": 0}], "request_invalid"),
        ([{"start": -1, "title": "x"}], "request_invalid"),
        ([{"start": 1, "title": "x"}], "chapters_invalid"),
        ([{"start": 0, "title": "\u0000"}], "chapters_invalid"),
        ([{"start": 2**31, "title": "x"}], "chapters_invalid"),
        ([{"start": MORNING, "title": "b"}, {"start": 0, "title": "a"}], "chapters_invalid"),
    ],
)
def test_what_makes_no_chapters_is_refused(shelf: Shelf, live: Live, chapters: Any, code: str) -> None:
    with live.client(live.key(library=shelf.library)) as writer:
        answer = writer.put(f"{shelf.at}/chapters", json={"chapters": chapters})
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
    assert answer.json()["remedy"]


def test_only_who_may_write_corrects(shelf: Shelf) -> None:
    for answer in (shelf.client.delete(f"{shelf.at}/chapters"), put(shelf.client, shelf.book, (0, "x"))):
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


def test_a_book_of_somebody_else_is_unknown(client: httpx.Client, shelf: Shelf) -> None:
    for answer in (
        client.get(f"{shelf.at}/chapters"),
        client.delete(f"{shelf.at}/chapters"),
        put(client, shelf.book, (0, "x")),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "book_unknown")
