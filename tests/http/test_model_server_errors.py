"""A server of language models that fails: everybody reads what is wrong, administrators also where it is."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from tests.generation.models.openai import fake
from tests.generation.models.openai.fake import Reply, error
from tests.http.story import story

INNER = "worker-7 at http://gpu7.internal:9/v1 says no"
"""What the server answers."""
DESCRIPTION = "characters/Margaret/description"


@dataclass(frozen=True)
class Row:
    name: str
    reply: Reply
    code: str
    plain: str
    """What everybody is told."""
    inner: str = INNER
    """What of the server's own words only administrators are told."""


def _cut(handler: fake.Handler) -> None:
    handler.close_connection = True


ROWS = [
    Row("hangs", fake.silent, "model_server_failed", "did not answer in time", "silent for 0.3 seconds"),
    Row("401", error(401, INNER), "generator_unavailable", "refused the key"),
    Row("404", error(404, INNER), "generator_unavailable", "no model server at the address"),
    Row("no model", error(404, f"Model not found: {INNER}"), "generator_unavailable", "has no such model"),
    Row("no money", error(429, f"billing: {INNER}"), "generator_unavailable", "is used up"),
    Row("400", error(400, INNER), "model_server_failed", "refused the request"),
    Row("429", error(429, INNER), "model_server_failed", "is busy"),
    Row("500", error(500, INNER), "model_server_failed", "The model server failed"),
    Row("HTML", fake.raw(f"<b>{INNER}</b>".encode(), "text/html"), "model_server_failed", "is no answer"),
    Row("cut", fake.says("She lit", then=_cut), "model_server_failed", "ended the connection", "/v1 ended"),
    Row("fails later", fake.events(json.dumps({"error": {"message": INNER}})), "model_server_failed",
        "failed while it answered"),
    Row("too long", error(400, f"The context length is 9 tokens. {INNER}"), "prompt_too_long", "too long"),
    Row("stops", fake.says("She lit", finish="worker-7"), "model_server_failed", "stopped without an answer",
        "worker-7"),
]  # fmt: skip

IN_JOBS = ("401", "500")
"""One that is not tried again, and one that is."""


@dataclass(frozen=True)
class Service:
    server: fake.Fake
    readers: dict[str, TestClient]
    """By scope. No other writer stands in for the model."""
    helped: dict[str, TestClient]
    """By scope, of a service where the offline writer stands in."""
    at: str
    """The URL of a book."""

    def hidden(self, row: Row) -> tuple[str, ...]:
        return (self.server.url, row.inner, "BOOKWORM_")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with fake.serve() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.jobs.patience.FIRST_PAUSE", 0.01)
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("errors"),
            embedder="hashing",
            resolver="rules",
            log_level="warning",
            generator="openai",
            openai_url=f"{server.url}/v1",
            openai_model="small",
            openai_attempts=1,
            openai_timeout=0.3,
            extractor="offline",
            judge="offline",
            offline_fallback=False,
        )
        helping = settings.model_copy(update={"offline_fallback": True, "jobs_in_process": False})
        with TestClient(create_app(settings)) as one, TestClient(create_app(helping)) as two:
            taken = one.post("/v1/books", files={"file": story()}, params={"wait": 60}).json()
            keys = {}
            for scope in ("admin", "write"):
                key = one.post("/v1/keys", json={"name": scope, "scopes": [scope]}).json()
                keys[scope] = key["secret"]
                one.headers["X-API-Key"] = keys["admin"]
            yield Service(
                server,
                {scope: _with(one, key) for scope, key in keys.items()},
                {scope: _with(two, key) for scope, key in keys.items()},
                f"/v1/books/{taken['book']['id']}",
            )


def _with(client: TestClient, key: str) -> TestClient:
    return TestClient(client.app, headers={"X-API-Key": key})


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS])
@pytest.mark.parametrize("stream", ["false", "true"])
def test_an_error(service: Service, row: Row, stream: str, capfd: pytest.CaptureFixture[str]) -> None:
    service.server.reply(row.reply)
    for scope in ("write", "admin", "write"):
        told = service.readers[scope].get(f"{service.at}/{DESCRIPTION}", params={"stream": stream})
        problem = told.json() if stream == "false" else _last(told)
        assert problem["code"] == row.code
        for text in service.hidden(row):
            assert scope == "admin" or text not in told.text
        if scope == "write":
            assert row.plain in problem["detail"]
            assert problem["remedy"]
        else:
            assert row.inner in problem["detail"]
    assert row.inner in capfd.readouterr().err, "the log says it"


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS])
def test_an_answer_that_stands_in(service: Service, row: Row) -> None:
    service.server.reply(row.reply)
    for scope in ("write", "admin", "write"):
        told = service.helped[scope].get(f"{service.at}/{DESCRIPTION}")
        answer = told.json()
        assert answer["rejected"]["reason"] in answer["notes"][-1]
        if scope == "write":
            assert row.plain in answer["notes"][-1]
            assert not [text for text in service.hidden(row) if text in told.text]
        else:
            assert row.inner in answer["notes"][-1]


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS if row.name in IN_JOBS])
def test_a_job(service: Service, row: Row) -> None:
    service.server.reply(row.reply)
    admin, reader = service.readers["admin"], service.readers["write"]
    ordered = reader.post(f"{service.at}/summary").json()
    at = f"/v1/jobs/{ordered['id']}"
    while not (job := reader.get(at).json())["ended"]:
        time.sleep(0.05)
    assert (job["state"], job["error_code"]) == ("failed", row.code)
    assert row.plain in job["error"]
    assert job["remedy"]
    in_full = admin.get(at).json()
    assert service.server.url in in_full["error"]
    assert row.inner in in_full["error"]
    assert "BOOKWORM_" in in_full["remedy"]
    assert row.inner in admin.get("/v1/jobs").text
    for path in (at, "/v1/jobs", f"{service.at}/events", f"{service.at}/summary"):
        told = reader.get(path).text
        assert not [text for text in service.hidden(row) if text in told], path


def test_a_server_that_is_not_there(service: Service, tmp_path_factory: pytest.TempPathFactory) -> None:
    """It is not even asked for its models without one, so the request fails before it is made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings = service.readers["admin"].app.state.services.settings  # type: ignore[attr-defined]
    away = {"openai_url": f"http://127.0.0.1:{port}/v1", "openai_model": None, "jobs_in_process": False}
    with TestClient(create_app(settings.model_copy(update=away))) as client:
        told = {
            scope: _with(client, reader.headers["X-API-Key"]).get(f"{service.at}/{DESCRIPTION}")
            for scope, reader in service.readers.items()
        }
    assert {answer.status_code for answer in told.values()} == {502}
    assert f"127.0.0.1:{port}" in told["admin"].json()["detail"]
    assert told["write"].json()["detail"] == "The model server can't be reached."
    assert str(port) not in told["write"].text


def _last(told: httpx.Response) -> dict[str, Any]:
    """The data of the last event."""
    problem: dict[str, Any] = json.loads(told.text.rstrip().rpartition("data: ")[2])
    return problem
