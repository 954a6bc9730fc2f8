"""Keys over HTTP: scopes, rates, quotas, libraries kept apart, and nothing private in the log."""

from __future__ import annotations

import json

import httpx
import pytest

from db.types import Scope
from tests.http.conftest import Live, Shelf
from tests.http.story import story


def test_a_key_is_wanted(live: Live, shelf: Shelf) -> None:
    with live.client(None) as nobody:
        for answer in (
            nobody.get("/books"),
            nobody.get(shelf.at),
            nobody.post("/books", files={"file": story()}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (401, "key_missing")
            assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("key", ["bw_wrong", "bw_" + "x" * 43, "é".encode().decode("latin-1")])
def test_a_wrong_key(live: Live, key: str) -> None:
    answer = httpx.get(f"{live.base}/v1/books", headers={"X-API-Key": key.encode("latin-1")})  # type: ignore[dict-item]
    assert (answer.status_code, answer.json()["code"]) == (401, "key_invalid")


def test_a_key_in_either_header(live: Live) -> None:
    key = live.key()
    for headers in (
        {"X-API-Key": key},
        {"Authorization": f"Bearer {key}"},
        {"Authorization": f"bearer {key}"},
    ):
        assert httpx.get(f"{live.base}/v1/books", headers=headers).status_code == 200


def test_reading_is_not_writing(live: Live, shelf: Shelf) -> None:
    with live.client(live.key(library="shelf", scope=Scope.READ)) as reader:
        refused = [
            reader.post("/books", files={"file": story()}),
            reader.delete(shelf.at),
            reader.post(f"{shelf.at}/decisions", json={"kind": "undo", "undoes": 1}),
            reader.post("/jobs/none/cancel"),
        ]
        assert {(a.status_code, a.json()["code"]) for a in refused} == {(403, "scope_missing")}
        assert reader.get(shelf.at).status_code == 200


def test_metrics_are_for_admins(live: Live) -> None:
    for scope, status in ((Scope.READ, 403), (Scope.WRITE, 403), (Scope.ADMIN, 200)):
        with live.client(live.key(scope=scope), root=True) as client:
            assert client.get("/metrics").status_code == status


def test_probes_need_no_key(live: Live) -> None:
    with live.client(None, root=True) as client:
        assert client.get("/livez").json() == {"status": "alive"}
        ready = client.get("/readyz").json()
        assert (ready["generator"], ready["model"]) == ("offline", None)
        assert {name: ready[name] for name in ("status", "database", "store", "degraded")} == {
            "status": "ready",
            "database": "ok",
            "store": "ok",
            "degraded": {},
        }


def test_each_key_sees_its_own_library(live: Live, shelf: Shelf) -> None:
    job = shelf.client.get("/jobs").json()["items"][0]
    with live.client(live.key()) as stranger:
        assert stranger.get("/books").json()["items"] == []
        assert stranger.get("/jobs").json()["items"] == []
        for path in (
            shelf.at,
            f"{shelf.at}/text",
            f"{shelf.at}/events",
            f"{shelf.at}/characters/Agnes/description",
        ):
            answer = stranger.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "book_unknown")
        # Word for word as for an id that nobody has.
        assert stranger.get(shelf.at).json()["title"] == stranger.get("/books/none").json()["title"]
        assert stranger.delete(shelf.at).status_code == 404
        assert stranger.get(f"/jobs/{job['id']}").status_code == 404
        assert stranger.post(f"/jobs/{job['id']}/cancel").status_code == 404
        assert stranger.get("/characters/Agnes/description").status_code == 404
        assert (
            stranger.get("/characters/Agnes/description", params={"book": shelf.book["id"]}).status_code
            == 404
        )


def test_too_fast(live: Live) -> None:
    with live.client(live.key(rate_per_minute=2)) as client:
        answers = [client.get("/books") for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "rate_limited"
    assert 1 <= int(answers[2].headers["retry-after"]) <= 30


def test_too_much(live: Live) -> None:
    with live.client(live.key(quota_per_day=2)) as client:
        answers = [client.get("/books") for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "quota_exceeded"
    assert int(answers[2].headers["retry-after"]) >= 1


def test_the_log_says_what_happened_and_nothing_private(live: Live, shelf: Shelf) -> None:
    key = live.key(library="shelf")
    with live.client(key) as client:
        client.get(
            f"{shelf.at}/characters/Margaret",
            params={"upto": "ch:2"},
            headers={"X-Request-ID": "look-for-me"},
        )
        client.get(f"{shelf.at}/characters/Agnes/passages", params={"q": "quarrelsome query"})
        client.get(f"{shelf.at}/characters/Heathcliff/description")
        client.post("/books", files={"file": ("Secret Diary.txt", b"\x00\xff\xfe not text" * 50)})
    said = live.log.read_text("utf-8")
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    (line,) = [one for one in lines if one.get("request_id") == "look-for-me"]
    assert (line["route"], line["status"], line["method"]) == (
        "/books/{book_id}/characters/{key}",
        200,
        "GET",
    )
    assert line["ms"] > 0
    assert line["key_id"].startswith("key_")
    assert any(one.get("code") == "character_unknown" for one in lines)
    for private in (
        key,
        key[3:],
        "Margaret",
        "Heathcliff",
        "quarrelsome",
        "Secret Diary",
        "careful woman",
        "ch:2",
    ):
        assert private not in said


def test_metrics_count_by_template_and_stage(live: Live, shelf: Shelf) -> None:
    shelf.get("/characters/Margaret")
    with live.client(live.key(scope=Scope.ADMIN), root=True) as client:
        said = client.get("/metrics").text
    assert (
        'bookworm_request_seconds_count{method="GET",route="/books/{book_id}/characters/{key}",status="200"}'
        in said
    )
    assert 'bookworm_stage_seconds_count{stage="resolve"}' in said
    assert 'bookworm_jobs{state="succeeded"}' in said
    assert "bookworm_open_books" in said
    assert "Margaret" not in said
    assert shelf.book["id"] not in said
