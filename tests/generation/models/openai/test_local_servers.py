"""Servers on this machine are found on their usual ports, and only there."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from generation.models.openai.local_servers import LocalModel, find_models, named
from tests.generation.models.openai.fake import Fake, status

MODELS = {"data": [{"id": "qwen3:8b"}, {"id": "nomic-embed-text:latest"}, {"id": "llama3.1:latest"}]}


def port_of(fake: Fake) -> int:
    port = urlsplit(fake.url).port
    assert port is not None
    return port


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_its_models_are_listed_with_their_context(fake: Fake) -> None:
    fake.reply(status(200, MODELS), path="/v1/models")
    loaded = {"models": [{"name": "qwen3:8b", "context_length": 16_384}]}
    fake.reply(status(200, loaded), path="/api/ps")
    found = find_models({free_port(): "none", port_of(fake): "ollama"})
    assert [(each.name, each.context) for each in found] == [
        ("ollama:qwen3:8b", 16_384),
        ("ollama:llama3.1:latest", None),
    ]
    assert urlsplit(found[0].url).hostname == "127.0.0.1"


def test_a_server_that_does_not_tell_a_context_is_asked_for_one_model_only(fake: Fake) -> None:
    fake.reply(status(200, MODELS), path="/v1/models")
    assert [each.context for each in find_models({port_of(fake): "vllm"})] == [None, None]
    assert len(fake.asked("/api/show")) == 1


def test_a_port_of_something_else_has_no_models(fake: Fake) -> None:
    assert find_models({port_of(fake): "ollama"}) == []


def test_a_process_does_not_ask_itself(fake: Fake) -> None:
    fake.reply(status(200, MODELS), path="/v1/models")
    assert find_models({port_of(fake): "vllm"}, own=port_of(fake)) == []
    assert not fake.seen


def test_a_model_is_known_by_any_of_its_names() -> None:
    models = [LocalModel("ollama", "u", name, None) for name in ("qwen3:8b", "llama3.1:latest")]
    assert named("ollama:qwen3:8b", models) is models[0]
    assert named("qwen3:8b", models) is models[0]
    assert named("ollama:llama3.1", models) is models[1]
    assert named("llama3.1", models) is models[1]
    assert named("llama3", models) is None
