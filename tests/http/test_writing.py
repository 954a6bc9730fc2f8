"""Answers by a language model over HTTP: strategies, summaries, plans, and what is refused."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from service.usecases.answer_request import SUMMARY_MOST
from service.wire.answers import PlanOut, PortraitOut
from tests.http.conftest import Live, Shelf
from tests.http.story import STORY, story
from tests.service.writers import REASON

MODEL = {"generator": "scripted-model"}
AT = "/characters/Margaret/description"
SUMMARY = "Two sisters keep a lamp, and a captain comes back."


def refused(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("strategy", ["retrieve", "lead", "hierarchical", "no-context"])
@pytest.mark.parametrize("task", ["description", "analysis"])
def test_every_strategy(shelf: Shelf, strategy: str, task: str) -> None:
    portrait = PortraitOut.model_validate(
        shelf.json(f"/characters/Margaret/{task}", **MODEL, strategy=strategy)
    )
    assert portrait.provenance.strategy == strategy
    assert portrait.provenance.prompts
    assert portrait.provenance.generator == "scripted-model/1"
    assert portrait.usage.calls >= 1
    assert portrait.rejected is None


def test_the_plain_answer_says_that_no_model_was_asked(shelf: Shelf) -> None:
    portrait = shelf.json(AT)
    assert (portrait["notes"], portrait["rejected"]) == ([], None)
    assert portrait["provenance"]["prompts"] is None
    assert portrait["provenance"]["strategy"] == "retrieve"


def test_options_change_the_answer(shelf: Shelf) -> None:
    cool, warm = (shelf.json(AT, **MODEL, temperature=t) for t in (0.0, 1.0))
    assert cool["usage"]["seconds"] != warm["usage"]["seconds"], "each was written"
    few = shelf.json(AT, **MODEL, k=1)
    assert few["usage"]["prompt_tokens"] < cool["usage"]["prompt_tokens"]
    unnamed = shelf.json(AT, **MODEL, cast="false")
    assert unnamed["usage"]["prompt_tokens"] < cool["usage"]["prompt_tokens"]
    assert refused(shelf.get(AT, **MODEL, tokens=30)) == (422, "budget_exceeded")


def test_a_given_summary(shelf: Shelf) -> None:
    for path in (AT, "/characters/Margaret/analysis", "/descriptions"):
        answer = shelf.client.post(f"{shelf.at}{path}", params=MODEL, json={"summary": SUMMARY})
        assert answer.status_code == 200, answer.text
        portrait = PortraitOut.model_validate(answer.json())
        assert portrait.provenance.strategy == "summary"
        other = shelf.client.post(f"{shelf.at}{path}", params=MODEL, json={"summary": SUMMARY + " Alone."})
        assert other.json()["usage"] != answer.json()["usage"]
        again = shelf.client.post(f"{shelf.at}{path}", params=MODEL, json={"summary": SUMMARY})
        assert again.json() == answer.json()


@pytest.mark.parametrize("body", [{"summary": ""}, {"summary": "  \n"}, {}, {"summary": "x", "more": 1}, []])
def test_a_summary_that_is_none(shelf: Shelf, body: Any) -> None:
    answer = shelf.client.post(f"{shelf.at}{AT}", params=MODEL, json=body)
    assert refused(answer) == (422, "request_invalid")


@pytest.mark.parametrize(
    ("size", "status", "code"),
    [(SUMMARY_MOST + 1, 422, "request_invalid"), (2 * 2**20, 413, "body_too_large")],
)
def test_a_summary_that_is_huge(shelf: Shelf, size: int, status: int, code: str) -> None:
    answer = shelf.client.post(f"{shelf.at}{AT}", params=MODEL, json={"summary": "x" * size})
    assert refused(answer) == (status, code)


def test_a_plan(shelf: Shelf) -> None:
    planned = PlanOut.model_validate(shelf.json(AT, **MODEL, dry_run="true", seed=31, tokens=9000))
    assert (planned.calls, planned.kept, planned.budget) == (1, False, 9000)
    assert planned.prompt_tokens > 100
    assert planned.completion_tokens > 0
    assert planned.passages > 0
    answer = shelf.json(AT, **MODEL, seed=31, tokens=9000)
    assert answer["usage"]["prompt_tokens"] <= planned.prompt_tokens
    assert answer["usage"]["completion_tokens"] <= planned.completion_tokens
    assert shelf.json(AT, **MODEL, dry_run="true", seed=31, tokens=9000)["kept"]
    whole = shelf.json("/descriptions", **MODEL, dry_run="true", strategy="hierarchical")
    assert whole["calls"] >= 1
    offline = shelf.json(AT, dry_run="true", refresh="true")
    assert (offline["calls"], offline["prompt_tokens"]) == (0, 0)
    assert refused(shelf.get(AT, dry_run="true", stream="true")) == (422, "request_invalid")


def test_a_rejected_draft_is_told_and_not_kept(shelf: Shelf) -> None:
    first = shelf.json(AT, generator="babbling")
    assert first["rejected"]["generator"] == "babbling/1"
    assert REASON in first["rejected"]["reason"]
    assert first["notes"]
    assert first["provenance"]["generator"].startswith("offline")
    assert first["text"] == shelf.json(AT)["text"]
    assert shelf.json(AT)["rejected"] is None
    assert shelf.json(AT, generator="babbling")["rejected"]


@pytest.mark.parametrize(
    ("parameters", "status", "code"),
    [
        ({"strategy": "lead"}, 422, "strategy_unsupported"),
        ({"cast": "true"}, 422, "strategy_unsupported"),
        ({"strategy": "everything"}, 422, "request_invalid"),
        ({**MODEL, "strategy": "summary"}, 422, "summary_missing"),
        ({**MODEL, "strategy": "lead", "retriever": "bm25"}, 422, "strategy_unsupported"),
        ({**MODEL, "temperature": 3}, 422, "request_invalid"),
        ({**MODEL, "tokens": 0}, 422, "request_invalid"),
        ({"generator": "llama"}, 503, "generator_unavailable"),
    ],
)
@pytest.mark.parametrize("path", [AT, pytest.param("/descriptions", marks=pytest.mark.soak)])
def test_what_is_refused(shelf: Shelf, path: str, parameters: dict[str, Any], status: int, code: str) -> None:
    assert refused(shelf.get(path, **parameters)) == (status, code)
    assert refused(shelf.get(path, **parameters, stream="true")) == (status, code), "before a stream begins"


@pytest.mark.parametrize("generator", ["offline", "scripted-model"])
def test_whom_nobody_knows_or_knows_well(shelf: Shelf, generator: str) -> None:
    unknown = shelf.get("/characters/Heathcliff/description", generator=generator)
    assert refused(unknown) == (404, "character_unknown")
    early = shelf.get("/characters/Captain Roe/description", generator=generator, upto="1")
    assert refused(early) == (404, "not_yet_met")


def test_somebody_who_is_mentioned_once(shelf: Shelf) -> None:
    """Who is hardly there gets a short answer, cited as any; a name dropped but once is nobody's."""
    at = "/characters/Captain Roe"
    gates = (f"p:{number}" for number in range(30))
    upto = next(gate for gate in gates if shelf.get(at, upto=gate).status_code == 200)
    assert shelf.json(at, upto=upto)["mention_count"] == 1
    for task in ("description", "analysis"):
        short = PortraitOut.model_validate(shelf.json(f"{at}/{task}", upto=upto))
        assert 0 < len(short.text.split()) < 40
        assert all(c.quote in STORY for s in short.sentences for c in s.citations)
    by_model = PortraitOut.model_validate(shelf.json(f"{at}/description", upto=upto, **MODEL))
    assert by_model.text
    assert shelf.get("/characters/Lamp/description").status_code == 404


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[TestClient]:
    """A service that does no jobs."""
    settings = Settings(data_dir=tmp_path, embedder="hashing", jobs_in_process=False)
    with TestClient(create_app(settings), base_url="http://testserver/v1") as client:
        yield client


def test_a_book_that_is_still_being_read(idle: TestClient) -> None:
    taken = idle.post("/books", files={"file": ("story.txt", story())}).json()
    at = f"/books/{taken['book']['id']}"
    for path in (AT, "/characters/Margaret/profile", "/who", "/descriptions"):
        answer = idle.get(f"{at}{path}")
        assert refused(answer) == (409, "book_not_ready")
        assert answer.json()["job"] == taken["job"]["id"]
    assert refused(idle.get(f"{at}{AT}", params={"stream": "true"})) == (409, "book_not_ready")
    assert refused(idle.get(f"{at}{AT}", params={"dry_run": "true"})) == (409, "book_not_ready")


def test_ten_thousand_names(shelf: Shelf, live: Live) -> None:
    answer = shelf.get("/descriptions", name=[f"n{i}" for i in range(5_000)])
    assert refused(answer) == (422, "request_invalid")
    query = "&".join(f"name=Somebody%20Called%20{i}" for i in range(10_000))
    # By hand: the client has a limit of its own.
    host, port = live.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        key = shelf.client.headers["Authorization"]
        request = (
            f"GET /v1{shelf.at}/descriptions?{query} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {key}\r\n\r\n"
        )
        wire.sendall(request.encode())
        said = b"".join(iter(lambda: wire.recv(65536), b"")).decode()
    assert said.split()[1] == "414"
    assert '"code":"address_too_long"' in said
