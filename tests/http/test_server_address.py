"""Where the server of language models is: how an answer was made says it to administrators only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings
from tests.generation.models.openai import fake
from tests.http.story import story

TEXT = "Margaret Vane lit the lamp [1]. Margaret Vane watched the letter [1]."
MARGARET = "characters/Margaret/description"


@dataclass(frozen=True)
class Readers:
    """A client for each scope, and the URL of a book."""

    by_scope: Mapping[str, TestClient]
    at: str


@pytest.fixture(scope="module")
def server() -> Iterator[fake.Fake]:
    with fake.serve() as server:
        server.reply(fake.says(TEXT))
        yield server


@pytest.fixture(scope="module")
def readers(server: fake.Fake, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("address"),
        embedder="hashing",
        resolver="rules",
        log_level="error",
        openai_url=f"{server.url}/v1",
        openai_model="small",
        extractor="llm",
        judge="llm",
    )
    with TestClient(create_app(settings)) as admin:
        made = {"admin": admin}
        for scope in ("admin", "read"):
            key = admin.post("/v1/keys", json={"name": scope, "scopes": [scope]}).json()
            made.setdefault(scope, TestClient(admin.app)).headers["X-API-Key"] = key["secret"]
        taken = admin.post("/v1/books", files={"file": story()}, params={"wait": 60}).json()
        yield Readers(made, f"/v1/books/{taken['book']['id']}")


@pytest.mark.parametrize("order", [("read", "admin"), ("admin", "read")])
@pytest.mark.parametrize(
    ("method", "path", "query"),
    [
        ("GET", MARGARET, {}),
        ("GET", MARGARET, {"dry_run": "true", "refresh": "true"}),
        ("GET", MARGARET, {"stream": "true"}),
        ("GET", "summary", {"dry_run": "true"}),
        ("POST", "questions", {}),
        ("POST", "check", {}),
    ],
)
def test_only_administrators_read_it(
    readers: Readers,
    server: fake.Fake,
    order: tuple[str, str],
    method: str,
    path: str,
    query: dict[str, str],
) -> None:
    body = {
        "questions": {"question": "Who is Margaret?"},
        "check": {"character": "Margaret", "text": "She lit a lamp."},
    }
    query = {**query, "seed": str(len(order[0]))} if method == "GET" else query
    for scope in (*order, *order):
        url = f"{readers.at}/{path}"
        told = readers.by_scope[scope].request(method, url, params=query, json=body.get(path))
        assert told.status_code == 200, told.text
        assert "openai/1:small" in told.text
        assert (server.url in told.text) is (scope == "admin"), told.text


def test_an_etag_of_one_is_not_the_others(readers: Readers) -> None:
    path = f"{readers.at}/{MARGARET}"
    for one, two in (("admin", "read"), ("read", "admin")):
        tag = readers.by_scope[one].get(path).headers["ETag"]
        assert readers.by_scope[one].get(path, headers={"If-None-Match": tag}).status_code == 304
        assert readers.by_scope[two].get(path, headers={"If-None-Match": tag}).status_code == 200
