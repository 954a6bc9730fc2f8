"""The stream of a book's events: complete, in order, resumable, bounded."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from db.repositories import EventRepository
from db.types import Scope
from tests.http.conftest import Live, Shelf
from tests.http.story import story


@dataclass(frozen=True)
class Event:
    id: int
    kind: str
    data: dict[str, Any]


def events(response: httpx.Response) -> Iterator[Event]:
    """What a browser would see of a stream."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if not line and "data" in fields:
            yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
        if not line:
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


def all_events(client: httpx.Client, book_id: str, **arguments: Any) -> list[Event]:
    with client.stream("GET", f"/books/{book_id}/events", **arguments) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in response.headers
        return list(events(response))


def test_a_stream_tells_the_whole_job_and_ends(client: httpx.Client) -> None:
    taken = client.post("/books", files={"file": story()}).json()
    told = all_events(client, taken["book"]["id"])
    assert [e.id for e in told] == sorted({e.id for e in told})
    assert told[0].kind == "job.queued"
    assert told[-1].kind == "job.succeeded"
    finished = [e.data["data"]["stage"] for e in told if e.kind == "stage.finished"]
    assert finished[:3] == ["read", "resolve", "index"]
    assert {e.data["job"] for e in told} == {taken["job"]["id"]}
    assert client.get(f"/jobs/{taken['job']['id']}").json()["state"] == "succeeded"


def test_a_stream_is_taken_up_where_it_broke_off(client: httpx.Client) -> None:
    book_id = client.post("/books", files={"file": story()}).json()["book"]["id"]
    with client.stream("GET", f"/books/{book_id}/events") as response:
        first = next(events(response))
    rest = all_events(client, book_id, headers={"Last-Event-ID": str(first.id)})
    assert rest == all_events(client, book_id, params={"after": first.id})
    assert [first, *rest] == all_events(client, book_id)
    assert all_events(client, book_id, params={"after": rest[-1].id}) == []


def test_following_goes_on_after_the_job(shelf: Shelf, live: Live) -> None:
    last = all_events(shelf.client, shelf.book["id"])[-1]
    parameters = {"follow": "true", "after": str(last.id)}
    with shelf.client.stream("GET", f"{shelf.at}/events", params=parameters) as response:
        told = events(response)
        with live.database.session() as session:
            number = EventRepository(session).append(
                shelf.book["id"], job_id=None, kind="note", data={"a": "b\nc"}
            )
        event = next(told)
    assert (event.id, event.kind, event.data["data"]) == (number, "note", {"a": "b\nc"})


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5", "9" * 20])
def test_a_strange_id_is_refused(shelf: Shelf, wrong: str) -> None:
    answer = shelf.client.get(f"{shelf.at}/events", headers={"Last-Event-ID": wrong})
    assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")
    assert answer.json()["errors"][0]["where"] == "header.last-event-id"


def test_a_book_of_somebody_else_has_no_events(client: httpx.Client, shelf: Shelf) -> None:
    assert client.get(f"{shelf.at}/events").status_code == 404


def test_a_reader_who_goes_away_leaves_no_stream_behind(shelf: Shelf, live: Live) -> None:
    with live.client(live.key(scope=Scope.ADMIN), root=True) as admin:
        for _ in range(3):
            with shelf.client.stream("GET", f"{shelf.at}/events", params={"follow": "true"}) as response:
                next(response.iter_lines())
        until = time.monotonic() + 10
        while "bookworm_event_streams 0.0" not in admin.get("/metrics").text:
            assert time.monotonic() < until
            time.sleep(0.1)
