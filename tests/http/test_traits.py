"""Doubts, traits and why names are one, over HTTP; nothing past the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.conftest import STORY
from tests.service.knowing import SAYS_SO, shelve


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traits")


@pytest.fixture(scope="module")
def at(folder: Path) -> str:
    return f"/v1/books/{shelve(folder, STORY.encode(), library='local')}"


@pytest.fixture
def client(folder: Path, at: str) -> Iterator[TestClient]:
    with TestClient(
        create_app(Settings(data_dir=folder, embedder="hashing", jobs_in_process=False))
    ) as client:
        yield client


def get(client: TestClient, path: str, **parameters: Any) -> Any:
    answer = client.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_doubts_say_what_to_do(client: TestClient, at: str) -> None:
    told = get(client, f"{at}/doubts")
    first, second = told["items"]
    assert told["people"] == [], "nobody is seldom named and much meant"
    assert (first["one"]["id"], first["other"]["id"], first["confidence"]) == ("lane", "ward", 0.8)
    assert first["evidence"] == SAYS_SO
    assert "Anna Lane" in first["one"]["names"]
    (passage,) = first["merge"].pop("spans")
    assert passage["start"] < passage["end"]
    assert first["merge"] == {"kind": "merge", "character": "lane", "other": "ward"}
    assert first["place"]["chapter"] == 3
    assert passage["start"] <= first["place"]["span"]["start"] < passage["end"]
    assert (second["one"]["id"], second["other"]["id"]) == ("lane", "ford")
    assert second["merge"]["spans"] == [], "the reason to ask comes with the names, and reveals nothing"
    assert [d["other"]["id"] for d in get(client, f"{at}/doubts", upto="2")["items"]] == ["ford"]


def test_a_decision_that_is_offered_can_be_posted(client: TestClient, at: str) -> None:
    before = client.get(f"{at}/doubts")
    first = before.json()["items"][0]
    for way in ("dismiss", "merge"):
        made = client.post(f"{at}/decisions", json=first[way])
        assert made.status_code == 201, made.text
        left = client.get(f"{at}/doubts", headers={"If-None-Match": before.headers["etag"]})
        assert [d["other"]["id"] for d in left.json()["items"]] == ["ford"]
        undone = client.post(f"{at}/decisions", json={"kind": "undo", "undoes": made.json()["number"]})
        assert undone.status_code == 201, undone.text
    assert get(client, f"{at}/doubts") == before.json()


def test_what_is_no_doubt_cannot_be_dismissed(client: TestClient, at: str) -> None:
    answer = client.post(f"{at}/decisions", json={"kind": "dismiss", "character": "ford", "other": "ward"})
    assert (answer.status_code, answer.json()["code"]) == (422, "decision_invalid")


def test_why_names_are_one(client: TestClient, at: str) -> None:
    merges = get(client, f"{at}/characters/lane")["merges"]
    assert merges == [
        {"name": "Miss Lane", "other": "Anna", "confidence": 0.9, "evidence": "Miss Anna Lane is both"}
    ]
    assert get(client, f"{at}/characters/ward")["merges"] == []


def test_traits_have_their_places(client: TestClient, at: str) -> None:
    lane = get(client, f"{at}/characters/Anna/traits")
    assert lane["character"] == "lane"
    assert {(t["kind"], t["lemma"], t["other"], t["count"]) for t in lane["said"]} == {
        ("is", "careful", None, 1),
        ("is", "stranger", None, 1),
        ("does", "smile", None, 1),
        ("social", "clerk", "ford", 1),
    }
    smile = next(t for t in lane["said"] if t["lemma"] == "smile")
    (place,) = smile["places"]
    assert STORY[place["span"]["start"] : place["span"]["end"]] == place["text"] == "smiled"
    assert (smile["chapters"], place["chapter"], place["other"], place["tense"]) == ([2], 2, "ford", "past")
    ford = get(client, f"{at}/characters/ford/traits")
    assert [(t["lemma"], t["places"][0]["negated"]) for t in ford["denied"]] == [("expect", True)]
    (wet,) = ford["possible"]
    assert (wet["lemma"], wet["quoted"], wet["places"][0]["modal"]) == ("wet", 1, "?")


def test_traits_end_at_the_gate(client: TestClient, at: str) -> None:
    early = get(client, f"{at}/characters/lane/traits", upto="1")
    assert {t["lemma"] for t in early["said"]} == {"careful", "stranger"}
    later = client.get(f"{at}/characters/ward/traits", params={"upto": "2"})
    assert (later.status_code, later.json()["code"]) == (404, "not_yet_met")


def test_how_much_is_told_can_be_said(client: TestClient, at: str) -> None:
    few = get(client, f"{at}/characters/lane/traits", k=1, places=0)
    assert sorted(t["kind"] for t in few["said"]) == ["does", "is", "social"]
    assert all(t["places"] == [] and t["count"] == 1 for t in few["said"])
    for wrong in ({"k": 0}, {"places": 201}):
        assert client.get(f"{at}/characters/lane/traits", params=wrong).status_code == 422


def test_nobody_of_that_name(client: TestClient, at: str) -> None:
    answer = client.get(f"{at}/characters/Heathcliff/traits")
    assert (answer.status_code, answer.json()["code"]) == (404, "character_unknown")
    assert client.get("/v1/books/none/doubts").json()["code"] == "book_unknown"
