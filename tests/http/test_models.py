"""Language models over HTTP: listed, tried, and chosen, by admins alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient

from db.types import Scope
from generation.models.openai import local_servers
from service.app import create_app
from service.health import generators, server_watch
from service.settings import Settings
from tests.generation.models.openai.fake import Fake, Reply, says, serve, silent, status
from tests.generation.models.openai.test_local_servers import MODELS, port_of
from tests.http.conftest import Live

QWEN = "ollama:qwen3:8b"


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    with serve() as fake:
        fake.reply(status(200, MODELS), path="/v1/models")
        fake.reply(status(200, {"models": [{"name": "qwen3:8b", "context_length": 4096}]}), path="/api/ps")
        for function in (local_servers.find_models, local_servers.first_model):
            monkeypatch.setattr(function, "__defaults__", ({port_of(fake): "ollama"},))
        yield fake


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str) -> Settings:
    """Of a service that does no jobs, which take half a second to start."""
    return Settings(
        data_dir=tmp_path,
        database_url=sqlite_url,
        embedder="hashing",
        resolver="rules",
        generator="auto",
        jobs_in_process=False,
    )


@pytest.fixture
def service(ollama: Fake, settings: Settings) -> Iterator[httpx.Client]:
    with TestClient(create_app(settings)) as client:
        yield client


def test_what_is_here_is_listed_and_writes(service: httpx.Client) -> None:
    found = service.get("/v1/operations/models").json()
    assert (found["generator"], found["model"], found["reason"]) == ("openai", "qwen3:8b", "found")
    assert [(one["name"], one["in_use"]) for one in found["items"]] == [
        (QWEN, True),
        ("ollama:llama3.1:latest", False),
    ]
    assert (found["others"], found["fixed"]) == (["offline"], False)
    assert "--context 16384" in found["items"][0]["remedy"]
    assert found["items"][1]["remedy"] is None
    assert [one["longer_context"] for one in found["items"]] == [16384, None]
    ready = service.get("/readyz").json()
    assert (ready["generator"], ready["model"]) == ("openai", "qwen3:8b")
    assert ready["generators"] == ["openai", "offline"]


def test_a_choice_counts_at_once_and_can_be_withdrawn(service: httpx.Client) -> None:
    chosen = service.put("/v1/operations/model", json={"name": "ollama:llama3.1"}).json()
    assert (chosen["model"], chosen["reason"]) == ("llama3.1:latest", "chosen")
    offline = service.put("/v1/operations/model", json={"name": "offline"}).json()
    assert (offline["generator"], offline["model"]) == ("offline", None)
    assert service.get("/readyz").json()["generators"] == ["offline"]
    again = service.put("/v1/operations/model", json={"name": None}).json()
    assert (again["model"], again["reason"]) == ("qwen3:8b", "found")


def test_a_model_of_ollama_is_chosen_with_a_context(service: httpx.Client, ollama: Fake) -> None:
    ollama.reply(status(200, {"status": "success"}), path="/api/create")
    chosen = service.put("/v1/operations/model", json={"name": QWEN, "context": 16384}).json()
    assert (chosen["model"], chosen["reason"]) == ("qwen3:8b-16384", "chosen")
    [asked] = ollama.asked("/api/create")
    assert (asked.body["from"], asked.body["parameters"]) == ("qwen3:8b", {"num_ctx": 16384})


@pytest.mark.parametrize(
    ("name", "server", "context", "code"),
    [
        (QWEN, "ollama", 1023, "request_invalid"),
        (None, "ollama", 16384, "context_unsupported"),
        ("offline", "ollama", 16384, "context_unsupported"),
        ("vllm:qwen3:8b", "vllm", 16384, "context_unsupported"),
    ],
)
def test_a_context_of_others_is_refused(
    service: httpx.Client,
    ollama: Fake,
    monkeypatch: pytest.MonkeyPatch,
    name: str | None,
    server: str,
    context: int,
    code: str,
) -> None:
    monkeypatch.setattr(local_servers.find_models, "__defaults__", ({port_of(ollama): server},))
    answer = service.put("/v1/operations/model", json={"name": name, "context": context})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert service.get("/v1/operations/models").json()["reason"] == "found"
    assert not ollama.asked("/api/create")


def test_a_server_that_has_just_started_is_used_as_soon_as_it_is_listed(
    service: httpx.Client, ollama: Fake
) -> None:
    ollama.reply(status(200, {"data": []}), path="/v1/models")
    away = service.get("/v1/operations/models").json()
    assert (away["generator"], away["reason"], away["items"]) == ("offline", "nothing", [])
    ollama.reply(status(200, MODELS), path="/v1/models")
    here = service.put("/v1/operations/model", json={"name": None}).json()
    assert (here["generator"], here["reason"]) == ("openai", "found")
    assert [one["in_use"] for one in here["items"]] == [True, False]


def test_a_model_is_asked_for_a_sentence(service: httpx.Client, ollama: Fake) -> None:
    ollama.reply(says("A novel is a long story."))
    answer = service.post("/v1/operations/model/try", json={"name": QWEN})
    assert answer.status_code == 200, answer.text
    assert answer.json()["text"] == "A novel is a long story."
    assert answer.json()["seconds"] > 0


def test_what_is_not_there_is_told(service: httpx.Client, ollama: Fake) -> None:
    for path, method in (("/v1/operations/model", "PUT"), ("/v1/operations/model/try", "POST")):
        answer = service.request(method, path, json={"name": "gpt-9"})
        assert (answer.status_code, answer.json()["code"]) == (404, "model_unknown")
        assert service.request(method, path, json={"name": 7}).status_code == 422
    ollama.reply(*[status(500, {"error": "broken"})] * 20)
    answer = service.post("/v1/operations/model/try", json={"name": QWEN})
    assert (answer.status_code, answer.json()["code"]) == (502, "model_server_failed")


def test_a_setting_decides(ollama: Fake, settings: Settings) -> None:
    with TestClient(create_app(settings.model_copy(update={"generator": "offline"}))) as client:
        answer = client.put("/v1/operations/model", json={"name": QWEN, "context": 16384})
        assert (answer.status_code, answer.json()["code"]) == (409, "generator_fixed")
        assert not ollama.asked("/api/create")
        told = client.get("/v1/operations/models").json()
        assert (told["reason"], told["fixed"]) == ("settings", True)


@pytest.fixture
def chosen(settings: Settings) -> Settings:
    """A model on a server that is set. It judges, too."""
    return settings.model_copy(update={"generator": "openai", "openai_model": "qwen3:8b", "judge": "auto"})


def test_readiness_says_whether_the_server_of_the_model_works(
    chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_watch, "NEAR_SECONDS", 0.0)
    monkeypatch.setattr(server_watch, "BRIEFLY", 5.0)

    def degraded(client: TestClient, reply: Reply | None = None) -> dict[str, str]:
        if reply is not None:
            fake.reply(reply, path="/v1/models")
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["status"] == "ready") == (200, not ready.json()["degraded"])
        return dict(ready.json()["degraded"])

    with ExitStack() as open_:
        fake = open_.enter_context(serve())
        settings = chosen.model_copy(update={"openai_url": f"{fake.url}/v1", "openai_context": 8192})
        with TestClient(create_app(settings)) as client:
            assert degraded(client, status(200, MODELS)) == {}
            unavailable = dict.fromkeys(("generator", "judge"), "generator_unavailable")
            assert degraded(client, status(401, {})) == unavailable
            assert degraded(client, status(200, {"data": [{"id": "other"}]})) == unavailable
            assert degraded(client, status(200, MODELS)) == {}
            open_.close()
            assert degraded(client) == dict.fromkeys(("generator", "judge"), "model_server_failed")


@pytest.mark.parametrize("model", ["qwen3:8b", None])
def test_a_probe_does_not_wait_for_a_silent_server(
    chosen: Settings, ollama: Fake, monkeypatch: pytest.MonkeyPatch, model: str | None
) -> None:
    for module in (server_watch, generators):
        monkeypatch.setattr(module, "PATIENCE", 0.3)
    ollama.reply(silent, path="/v1/models")
    settings = chosen.model_copy(update={"openai_url": f"{ollama.url}/v1", "openai_model": model})
    with TestClient(create_app(settings)) as client:
        first = client.get("/readyz").json()
        assert client.get("/readyz").json()["degraded"] == first["degraded"]
    assert first["degraded"]["generator"] == "model_server_failed"
    assert len(ollama.asked("/v1/models")) == 1, "the result counts for some seconds"


def test_a_service_of_bookworm_is_no_server_of_models(live: Live) -> None:
    port = urlsplit(live.base).port
    assert port is not None
    assert local_servers.find_models({port: "vllm"}) == []


def test_it_is_for_admins(live: Live) -> None:
    asked = (("GET", "models", None), ("PUT", "model", {"name": None}), ("POST", "model/try", {"name": "x"}))
    for method, path, body in asked:
        for scope in (Scope.READ, Scope.WRITE):
            with live.client(live.key(scope=scope)) as client:
                assert client.request(method, f"/operations/{path}", json=body).status_code == 403
        with live.client(None) as nobody:
            assert nobody.request(method, f"/operations/{path}", json=body).status_code == 401
