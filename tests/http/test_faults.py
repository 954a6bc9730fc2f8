"""What breaks underneath: the database goes, artefacts rot, an answer takes long, a stream is too many."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from db.errors import DatabaseAway
from service.app import create_app
from service.http import sse
from service.http.problems import Problem
from service.http.sse import Pace
from service.observability import logs
from service.settings import Settings
from tests.http.story import STORY, story


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str) -> Settings:
    return Settings(
        data_dir=tmp_path / "data",
        database_url=sqlite_url,
        embedder="hashing",
        resolver="rules",
        jobs_in_process=False,
        log_level="info",
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(
        create_app(settings, pace=Pace(poll=0.05, longest=0.3, patience=0.2, heartbeat=0.1, most_streams=1))
    ) as client:
        yield client


def break_database(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise DatabaseAway("The database does not answer.")

    monkeypatch.setattr(type(client.app.state.services.database), "session", away)  # type: ignore[attr-defined]


def test_a_database_that_is_away(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    break_database(client, monkeypatch)
    answer = client.get("/v1/books")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_away")
    assert int(answer.headers["retry-after"]) >= 1
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (503, "away")
    assert ready.json()["database"] == "database_away"
    assert client.get("/livez").status_code == 200
    assert client.get("/metrics").status_code == 503


def test_a_database_that_comes_back(client: TestClient) -> None:
    with pytest.MonkeyPatch.context() as patch:
        break_database(client, patch)
        assert client.get("/v1/books").status_code == 503
    assert client.get("/v1/books").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_an_engine_that_is_missing_is_named(settings: Settings) -> None:
    with TestClient(create_app(settings.model_copy(update={"embedder": "/no/such/folder"}))) as client:
        ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
    assert ready.json()["degraded"] == {"embedder": "embedder_unavailable"}


@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "storage_full"), (errno.EACCES, "folder_not_writable")]
)
def test_a_store_that_takes_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        assert client.get("/readyz").json()["store"] == code
    monkeypatch.setattr("db.store.files.write", refuse)
    answer = client.post("/v1/books", files={"file": story()})
    assert (answer.status_code, answer.json()["code"]) == (503, code)
    assert client.get("/v1/books").json()["items"] == []


def test_a_check_that_breaks_is_told_with_a_code(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("db.store.ArtefactStore.probe", broken)
    assert client.get("/readyz").json()["store"] == "internal_error"


def test_what_nobody_foresaw_says_nothing_internal(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("Mr Rochester's wife, at /srv/secret/path")

    monkeypatch.setattr("service.library.Library.books", broken)
    logs.configure(stream=(stream := io.StringIO()))
    answer = client.get("/v1/books", headers={"X-Request-ID": "oops"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    said = stream.getvalue()
    assert "Rochester" not in answer.text + said
    (line,) = [one for one in map(json.loads, said.splitlines()) if one["event"] == "unhandled"]
    assert (line["request_id"], line["exception"]) == ("oops", "builtins.KeyError")


def test_the_log_says_which_book_and_job_a_request_was_about(client: TestClient) -> None:
    logs.configure(stream=(stream := io.StringIO()))
    taken = client.post("/v1/books", files={"file": story()}).json()
    book, job = taken["book"]["id"], taken["job"]["id"]
    again = client.post("/v1/books", files={"file": story()}).json()
    for path in (f"/v1/jobs/{job}", "/v1/books/Mr Rochester"):
        client.get(path)
    client.delete(f"/v1/books/{book}")
    said = [line for line in map(json.loads, stream.getvalue().splitlines()) if line["event"] == "request"]
    assert [(line["method"], line.get("book"), line.get("job")) for line in said] == [
        ("POST", book, job),
        ("POST", book, again["job"] and job),
        ("GET", None, job),
        ("GET", None, None),
        ("DELETE", book, None),
    ]


def test_an_answer_that_takes_too_long(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Event()
    ended: list[bool] = []
    monkeypatch.setattr("service.library.Library.books", lambda *_, **__: ended.append(answered.wait(60)))
    with TestClient(create_app(settings.model_copy(update={"request_timeout": 0.2}))) as client:
        answer = client.get("/v1/books")
        assert not ended, "it was not waited for"
        answered.set()
    assert (answer.status_code, answer.json()["code"]) == (503, "took_too_long")


def test_a_book_that_waits_is_not_ready(client: TestClient) -> None:
    taken = client.post("/v1/books", files={"file": story()}, params={"wait": 0.3})
    assert taken.status_code == 202
    book_id, job_id = taken.json()["book"]["id"], taken.json()["job"]["id"]
    for path in ("text", "characters", "decisions", "descriptions", "characters/x/description"):
        answer = client.get(f"/v1/books/{book_id}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "book_not_ready")
        assert answer.json()["job"] == job_id
    cancelled = client.post(f"/v1/jobs/{job_id}/cancel").json()
    assert cancelled["state"] == "cancelled"
    assert client.post(f"/v1/jobs/{job_id}/cancel").json() == cancelled


def test_a_stream_says_that_it_is_there_and_ends_in_time(client: TestClient) -> None:
    book_id = client.post("/v1/books", files={"file": story()}).json()["book"]["id"]
    answer = client.get(f"/v1/books/{book_id}/events")  # the job never ends: nobody works
    assert ": still here" in answer.text
    assert "event: job.queued" in answer.text


def test_a_stream_outlives_a_database_that_is_busy_for_a_moment(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    book_id = client.post("/v1/books", files={"file": story()}).json()["book"]["id"]
    looked = iter([DatabaseAway("Locked."), DatabaseAway("Locked.")])

    def look(*given: Any) -> Any:
        for error in looked:
            raise error
        return real(*given)

    real = sse._look
    monkeypatch.setattr(sse, "_look", look)
    answer = client.get(f"/v1/books/{book_id}/events")
    assert "event: job.queued" in answer.text
    assert "event: error" not in answer.text


def test_a_stream_ends_when_the_database_stays_away(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    book_id = client.post("/v1/books", files={"file": story()}).json()["book"]["id"]

    def look(*_: Any) -> Any:
        raise DatabaseAway("Gone.")

    monkeypatch.setattr(sse, "_look", look)
    answer = client.get(f"/v1/books/{book_id}/events")
    before, _, told = answer.text.partition("event: error\ndata: ")
    assert before
    assert Problem.model_validate_json(told).code == "database_away"


def test_a_stream_too_many(client: TestClient) -> None:
    book_id = client.post("/v1/books", files={"file": story()}).json()["book"]["id"]
    streams = client.app.state.streams  # type: ignore[attr-defined]
    streams.enter()
    answer = client.get(f"/v1/books/{book_id}/events")
    assert (answer.status_code, answer.json()["code"]) == (503, "too_many_streams")
    streams.leave()
    assert client.get(f"/v1/books/{book_id}/events").status_code == 200
    assert client.get(f"/v1/books/{book_id}/events").status_code == 200


def artefacts(settings: Settings, book: dict[str, Any]) -> list[Path]:
    version = settings.data_dir / "books" / book["id"] / book["version"]
    return sorted(p for p in version.rglob("*") if p.is_file())


def test_a_book_that_rotted_is_never_served_and_is_mended_by_uploading_it_again(settings: Settings) -> None:
    working = settings.model_copy(update={"jobs_in_process": True})
    with TestClient(create_app(working)) as client:
        book = client.post("/v1/books", files={"file": story()}, params={"wait": 60}).json()["book"]
        assert client.get(f"/v1/books/{book['id']}/text").status_code == 200
    for path in artefacts(settings, book):
        if path.name != "manifest.json":
            path.write_bytes(b"\x00" + path.read_bytes()[1:])
    with TestClient(create_app(settings)) as client:  # does no jobs, so nothing is mended in between
        for path in ("text", "characters", "characters/Agnes/description"):
            answer = client.get(f"/v1/books/{book['id']}/{path}")
            assert (answer.status_code, answer.json()["code"]) == (503, "index_stale"), answer.text
    with TestClient(create_app(working)) as client:
        again = client.post("/v1/books", files={"file": story()}, params={"wait": 60})
        assert (again.status_code, again.json()["created"]) == (200, False)
        job = again.json()["job"]
        assert job is None or job["state"] == "succeeded", "it may be mended by now"
        assert client.get(f"/v1/books/{book['id']}/text").text == STORY
        unharmed = client.post("/v1/books", files={"file": story()}, params={"wait": 60})
        assert unharmed.json()["job"] is None
