"""How the service fares, over HTTP: engines, precision by day, slow requests, storage; for admins alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from db.types import Scope
from service.app import create_app
from service.settings import Settings
from tests.http.conftest import Live, upload
from tests.http.story import story

PARTS = ("engines", "precision", "requests", "storage")


def told(client: httpx.Client, part: str, **parameters: Any) -> dict[str, Any]:
    answer = client.get(f"/operations/{part}", params=parameters)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("part", PARTS)
def test_it_is_for_admins(live: Live, part: str) -> None:
    for scope, status in ((Scope.READ, 403), (Scope.WRITE, 403), (Scope.ADMIN, 200)):
        with live.client(live.key(scope=scope)) as client:
            assert client.get(f"/operations/{part}").status_code == status
    with live.client(None) as nobody:
        assert nobody.get(f"/operations/{part}").status_code == 401


@pytest.mark.parametrize(
    ("part", "parameters"),
    [
        ("precision", {"days": 0}),
        ("precision", {"days": 367}),
        ("precision", {"days": "all"}),
        ("precision", {"days": "9" * 400}),
        ("requests", {"limit": 0}),
        ("requests", {"limit": 201}),
        ("storage", {"limit": 0}),
        ("storage", {"cursor": "nonsense"}),
        ("storage", {"cursor": "x" * 513}),
    ],
)
def test_nonsense_is_refused(admin: httpx.Client, part: str, parameters: dict[str, Any]) -> None:
    assert admin.get(f"/operations/{part}", params=parameters).status_code == 422


def test_the_engines_in_use_and_what_is_set_up_beside_them(admin: httpx.Client) -> None:
    found = told(admin, "engines")
    engines = {(one["kind"], one["name"]): one for one in found["items"]}
    used = {kind: name for (kind, name), one in engines.items() if one["in_use"]}
    assert used == {
        "resolver": "rules",
        "embedder": "hashing",
        "retriever": "telling",
        "generator": "offline",
        "extractor": "offline",
        "judge": "offline",
    }
    assert {one["health"] for one in engines.values() if one["in_use"]} == {"works"}
    beside = engines["generator", "openai"]  # where nobody listens
    assert (beside["in_use"], beside["health"], beside["stands_in"]) == (False, "missing", "offline")
    assert beside["remedy"]
    looked = datetime.fromisoformat(found["looked"])
    again = datetime.fromisoformat(told(admin, "engines")["looked"])
    assert looked == again or again - looked >= timedelta(seconds=10), "kept for some seconds"
    assert datetime.now(UTC) - looked < timedelta(minutes=1)


def test_an_engine_that_does_not_work_says_what_to_do(tmp_path: Path, sqlite_url: str) -> None:
    settings = Settings(
        data_dir=tmp_path / "data",
        database_url=sqlite_url,
        embedder="/no/such/folder",
        judge="llm",
        judge_model="openai",
        openai_url="http://127.0.0.1:9/v1",
        openai_model="nobody",
        jobs_in_process=False,
        log_level="error",
    )
    with TestClient(create_app(settings)) as client:
        found = {one["kind"]: one for one in client.get("/v1/operations/engines").json()["items"]}
    for kind in ("embedder", "retriever", "judge"):
        assert (found[kind]["health"], bool(found[kind]["remedy"])) == ("missing", True), kind
    assert found["resolver"]["health"] == "works"


def test_precision_counts_an_answer_when_it_is_written(admin: httpx.Client) -> None:
    before = datetime.now(UTC).date().isoformat()
    assert told(admin, "precision")["items"] == []
    at = f"/books/{upload(admin)['id']}"
    ask = f"{at}/characters/Margaret/description"
    facts = admin.get(ask).json()["facts"]
    assert facts
    (first,) = told(admin, "precision")["items"]
    assert (first["answers"], first["facts"]) == (1, len(facts))
    labels = [fact["label"] for fact in facts]
    assert first["verdicts"] == {label: labels.count(label) for label in first["verdicts"]}
    assert first["precision"] == pytest.approx(labels.count("supported") / len(labels))
    assert first["generator"].startswith("offline")
    assert before <= first["day"] <= datetime.now(UTC).date().isoformat()
    admin.get(ask)  # served again
    assert told(admin, "precision")["items"] == [first]
    admin.get(ask, params={"refresh": True})  # written again
    assert told(admin, "precision")["items"][0]["answers"] == 2
    admin.get(ask, params={"generator": "scripted-model"})
    writers = {one["generator"].partition("/")[0] for one in told(admin, "precision")["items"]}
    assert writers == {"offline", "scripted-model"}
    known = told(admin, "precision")["items"]
    assert admin.delete(at).status_code == 204
    assert told(admin, "precision")["items"] == known, "history stays"


def test_an_overruled_fact_changes_nothing_of_what_was_counted(admin: httpx.Client) -> None:
    at = f"/books/{upload(admin)['id']}"
    fact = admin.get(f"{at}/characters/Agnes/description").json()["facts"][0]
    counted = told(admin, "precision")["items"]
    given = {"label": "contradicted" if fact["label"] == "supported" else "supported"}
    assert admin.put(f"{at}/facts/{fact['id']}/overruling", json=given).status_code == 200
    assert told(admin, "precision")["items"] == counted


def test_precision_is_of_one_s_own_library_and_of_the_days_asked_for(live: Live, admin: httpx.Client) -> None:
    at = f"/books/{upload(admin)['id']}"
    assert admin.get(f"{at}/characters/Margaret/description").status_code == 200
    found = told(admin, "precision", days=7)
    since, until = (datetime.fromisoformat(found[end]) for end in ("since", "until"))
    assert until - since == timedelta(days=6)
    assert len(found["items"]) == 1
    with live.client(live.key(scope=Scope.ADMIN)) as stranger:
        assert told(stranger, "precision")["items"] == []


def test_requests_are_told_by_route_and_one_by_one(live: Live, admin: httpx.Client) -> None:
    admin.get("/books", headers={"X-Request-ID": "mine-to-find"})
    with live.client(live.key(scope=Scope.ADMIN)) as stranger:
        stranger.get("/books", headers={"X-Request-ID": "a-stranger-s"})
        theirs = {one["request_id"] for one in told(stranger, "requests", limit=200)["slowest"]}
    found = told(admin, "requests", limit=200)
    times = [one["ms"] for one in found["slowest"]]
    assert times == sorted(times, reverse=True)
    ours = {one["request_id"] for one in found["slowest"]}
    assert "a-stranger-s" not in ours
    assert "mine-to-find" not in theirs
    assert not any(one["route"].endswith("/events") for one in found["slowest"])
    (books,) = [one for one in found["routes"] if (one["method"], one["route"]) == ("GET", "/books")]
    assert books["count"] >= 2
    assert 0 < books["median_ms"] <= books["p95_ms"]
    assert len(told(admin, "requests", limit=1)["slowest"]) <= 1


def test_a_slow_request_is_among_the_slowest(admin: httpx.Client) -> None:
    upload(admin)  # waits until the book is read
    slow = told(admin, "requests", limit=200)["slowest"]
    (mine,) = [one for one in slow if (one["method"], one["route"], one["status"]) == ("POST", "/books", 201)]
    assert mine["ms"] > 20
    assert datetime.now(UTC) - datetime.fromisoformat(mine["at"]) < timedelta(minutes=1)


def test_storage_by_book(live: Live, admin: httpx.Client) -> None:
    assert told(admin, "storage")["items"] == []
    small, large = upload(admin, story()), upload(admin, story() * 20)
    found = told(admin, "storage")
    assert (found["books"], found["measured"], found["next"]) == (2, 2, None)
    assert [one["book"] for one in found["items"]] == [large["id"], small["id"]]
    for one, data in zip(found["items"], (story() * 20, story()), strict=True):
        sizes = one["bytes"]
        home = live.data_dir / "books" / one["book"]
        assert sizes["source"] == len(data)
        assert sizes["total"] == sum(p.stat().st_size for p in home.rglob("*") if p.is_file())
        index = next(home.glob("*/index"))
        assert sizes["index"] == sum(p.stat().st_size for p in index.rglob("*") if p.is_file())
        assert sizes["other"] == 0
        assert one["title"] is not None
    assert found["bytes"]["total"] == sum(one["bytes"]["total"] for one in found["items"])
    assert 0 < found["disk_free"] < found["disk_size"]
    first = told(admin, "storage", limit=1)
    second = told(admin, "storage", limit=1, cursor=first["next"])
    assert [one["book"] for one in first["items"] + second["items"]] == [large["id"], small["id"]]
    assert second["next"] is None
    assert second["bytes"] == found["bytes"], "sums are of the whole library"
    assert admin.delete(f"/books/{large['id']}").status_code == 204
    assert [one["book"] for one in told(admin, "storage")["items"]] == [small["id"]]
    with live.client(live.key(scope=Scope.ADMIN)) as stranger:
        assert told(stranger, "storage")["items"] == []
