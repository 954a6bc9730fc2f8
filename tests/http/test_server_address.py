"""Where the model's server is, and its folders: what is kept is found by them, and no answer shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from db.tables import ComparisonRow, PortraitRow
from generation.checking.claims.json_asking import PROMPTS as FACTS
from generation.checking.judges.llm_judge import PROMPTS as JUDGING
from service import kept_json
from service.app import create_app
from service.judge_marks import MARKS
from service.services import Services
from service.settings import Settings
from tests.generation.models.openai import fake
from tests.http.story import story

FOLDER = "/srv/models"
DESCRIPTION = "characters/Margaret/description"
TEXT = "Margaret Vane lit the lamp above the quay [1]. Margaret Vane was a careful woman [1]."
CHECKED = {"character": "Margaret", "text": "Margaret Vane lit the lamp."}
REFERENCE = {"text": "Margaret Vane lit the lamp above the quay.", "source": "A. Reader"}


def _reply(handler: fake.Handler, seen: fake.Seen) -> None:
    """Write a text, supports every statement, and find no facts that could be used."""
    schema = json.dumps(seen.body.get("response_format", {}))
    if "verdicts" in schema:
        asked = re.findall(r"^(\d+): ", seen.body["messages"][-1]["content"], re.MULTILINE)
        verdicts = [{"statement": int(n), "label": "supported", "passages": [1]} for n in asked]
        return fake.says(json.dumps({"verdicts": verdicts}))(handler, seen)
    return fake.says("I do not know." if "facts" in schema else TEXT)(handler, seen)


@dataclass(frozen=True)
class Service:
    server: fake.Fake
    settings: Settings
    keys: dict[str, str]
    """By scope."""
    at: str
    """The URL of a book."""

    @property
    def model(self) -> str:
        """The name under which everything is kept that a model has made."""
        return f"openai/1:{FOLDER}/small.gguf@{self.server.url}/v1"

    @property
    def judge(self) -> str:
        return f"llm/3+{self.model}+judging/{JUDGING.fingerprint}"

    @property
    def extractor(self) -> str:
        return f"{self.model}+facts/{FACTS.fingerprint}"

    @property
    def asked(self) -> int:
        return len(self.server.asked())


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with fake.serve() as server:
        server.reply(_reply)
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("address"),
            embedder="hashing",
            resolver="rules",
            log_level="error",
            generator="openai",
            openai_url=f"{server.url}/v1",
            openai_model=f"{FOLDER}/small.gguf",
            extractor="llm",
            judge="llm",
        )
        with TestClient(create_app(settings)) as client:
            taken = client.post("/v1/books", files={"file": story()}, params={"wait": 60}).json()
            keys = {}
            for scope in ("admin", "read"):
                key = client.post("/v1/keys", json={"name": scope, "scopes": [scope]}).json()
                keys[scope] = client.headers["X-API-Key"] = key["secret"]
                client.headers["X-API-Key"] = keys["admin"]
            found = Service(server, settings, keys, f"/v1/books/{taken['book']['id']}")
            marks = {found.judge: 0.9, f"{found.judge}, contradictions": 0.9}
            kept_json.write(settings.data_dir / MARKS, marks)
            put = client.put(f"{found.at}/characters/Margaret/reference", json=REFERENCE)
            assert put.status_code == 200, put.text
            yield found


@contextmanager
def started(service: Service, scope: str = "read") -> Iterator[TestClient]:
    """A process that has just started, so that it remembers nothing."""
    settings = service.settings.model_copy(update={"jobs_in_process": False})
    with TestClient(create_app(settings), headers={"X-API-Key": service.keys[scope]}) as client:
        yield client


@pytest.mark.parametrize("scope", ["read", "admin"])
def test_no_answer_says_where_the_server_is(service: Service, scope: str) -> None:
    with started(service, scope) as client:
        told = [
            client.get(f"{service.at}/{DESCRIPTION}"),
            client.get(f"{service.at}/{DESCRIPTION}", params={"stream": "true", "seed": 1}),
            client.get(f"{service.at}/{DESCRIPTION}", params={"dry_run": "true", "seed": 2}),
            client.get(f"{service.at}/descriptions"),
            client.get(f"{service.at}/summary"),
            client.post(f"{service.at}/questions", json={"question": "Who is Margaret Vane?"}),
            client.post("/v1/questions", json={"question": "Who is Margaret Vane?"}),
            client.post(f"{service.at}/check", json=CHECKED),
        ]
    for answer in told:
        assert answer.status_code == 200, answer.text
        assert "openai/1:small.gguf" in answer.text, answer.url
        assert "127.0.0.1" not in answer.text, answer.url
        assert FOLDER not in answer.text, answer.url
    made = told[0].json()
    assert made["provenance"]["judge"] == f"llm/3+openai/1:small.gguf+judging/{JUDGING.fingerprint}"
    assert made["provenance"]["extractor"] == f"openai/1:small.gguf+facts/{FACTS.fingerprint}"
    assert {fact["judge"] for fact in made["facts"]} == {made["provenance"]["judge"]}
    assert "generator openai/1:small.gguf, judge llm/3+openai/1:small.gguf+judging/" in made["markdown"]
    assert any("small.gguf gave no facts that can be used" in note for note in made["notes"])


def test_what_is_kept_is_found_by_the_whole_name(service: Service) -> None:
    """Answers, marks of judges and comparisons were always kept under these names."""
    at = f"{service.at}/{DESCRIPTION}"
    with started(service) as client:
        made = client.get(at, params={"seed": 3}).json()
    assert made["prisma"]["reference"]
    spent = service.asked
    with started(service) as later:
        assert later.get(at, params={"seed": 3}).json() == made
        services: Services = later.app.state.services  # type: ignore[attr-defined]
    assert service.asked == spent > 0
    assert kept_json.read(service.settings.data_dir / MARKS).keys() == {
        service.judge,
        f"{service.judge}, contradictions",
    }, "the judge was not examined again"
    with services.database.session(read_only=True) as session:
        kept = session.scalars(select(PortraitRow.payload)).all()
        compared = session.scalars(select(ComparisonRow.made_of)).all()
    assert kept
    for payload in kept:
        provenance = payload["provenance"]
        names = (provenance["generator"], provenance["judge"], provenance["extractor"])
        assert names == (service.model, service.judge, service.extractor)
    parts = (REFERENCE["text"], REFERENCE["source"], service.judge, service.extractor)
    assert set(compared) == {sha256(json.dumps(parts).encode()).hexdigest()}
