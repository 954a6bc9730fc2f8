"""Engines that are not set up as they should be: only those who run the service read what they lack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from tests.http.story import story

AWAY = Path("/srv/models/away")
DESCRIPTION = "characters/Margaret/description"


@dataclass(frozen=True)
class Library:
    settings: Settings
    keys: dict[str, str]
    """By scope."""
    book: str

    @contextmanager
    def started(self, **changed: Any) -> Iterator[dict[str, TestClient]]:
        """Yield clients by scope, of a service with other settings."""
        app = create_app(self.settings.model_copy(update=changed))
        with TestClient(app):
            yield {scope: TestClient(app, headers={"X-API-Key": key}) for scope, key in self.keys.items()}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("missing"), embedder="hashing", resolver="rules", log_level="info"
    )
    with TestClient(create_app(settings)) as client:
        book = client.post("/v1/books", files={"file": story()}, params={"wait": 60}).json()["book"]["id"]
        keys = {}
        for scope in ("admin", "write"):
            key = client.post("/v1/keys", json={"name": scope, "scopes": [scope]}).json()
            keys[scope] = key["secret"]
            client.headers["X-API-Key"] = keys["admin"]
    return Library(settings, keys, book)


def _is_plain(text: str) -> bool:
    return not any(inner in text for inner in (str(AWAY), "BOOKWORM_", "pip install", "doctor"))


@pytest.mark.parametrize("stream", ["false", "true"])
@pytest.mark.parametrize(
    ("changed", "lacks", "remedy"),
    [
        ({"generator": "llama", "llama_base": str(AWAY)}, str(AWAY), "hf download"),
        ({"generator": "llama"}, "no base model", "BOOKWORM_LLAMA_BASE"),
        ({"generator": "openai", "openai_url": None}, "No server", "BOOKWORM_OPENAI_URL"),
        ({"judge": "nli", "nli_model": AWAY}, str(AWAY), "BOOKWORM_NLI_MODEL"),
        ({"judge": "nli"}, "No model is set up for the judge `nli`", "BOOKWORM_NLI_MODEL"),
    ],
)
def test_what_an_engine_lacks(
    library: Library,
    changed: dict[str, Any],
    lacks: str,
    remedy: str,
    stream: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with library.started(**changed) as clients:
        told = {
            scope: client.get(f"/v1/books/{library.book}/{DESCRIPTION}", params={"stream": stream}).json()
            for scope, client in clients.items()
        }
    assert told["write"]["code"] == told["admin"]["code"]
    assert "is not set up as it should be" in told["write"]["detail"]
    assert "ask whoever runs this service" in told["write"]["remedy"].lower()
    assert _is_plain(str(told["write"]))
    assert lacks in told["admin"]["detail"]
    assert remedy in told["admin"]["remedy"]
    assert lacks in capfd.readouterr().err, "the log says it"


def test_a_book_that_cannot_be_read(library: Library, capfd: pytest.CaptureFixture[str]) -> None:
    """The resolver is made in a process of its own."""
    with library.started(resolver="booknlp", booknlp_python=AWAY) as clients:
        reader, admin = clients["write"], clients["admin"]
        told = reader.post("/v1/books", files={"file": story(1)}, params={"wait": 60})
        at = f"/v1/jobs/{told.json()['job']}"
        job, in_full = reader.get(at).json(), admin.get(at).json()
        book = f"/v1/books/{job['book']}"
        answers = (told, *map(reader.get, (at, "/v1/jobs", book, f"{book}/events", f"{book}/characters")))
        assert [answer.url for answer in answers if not _is_plain(answer.text)] == []
    assert (job["state"], job["error_code"]) == ("failed", "resolver_unavailable")
    assert job["error"] == "The resolver, which finds the characters, is not set up as it should be."
    assert in_full["error"] == f"There is no interpreter {AWAY}."
    assert "BOOKWORM_BOOKNLP_PYTHON" in in_full["remedy"]
    assert str(AWAY) in capfd.readouterr().err, "the log says it"
