"""What is answered before it is routed: the same bytes, and nobody is let in or told what is past."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from coref.decisions.types import Decision, DecisionKind
from db.database import Database
from db.repositories import BookRepository, DecisionRepository, KeyRepository
from db.types import EditionRecord, KeyRecord, Scope
from service import access
from service.app import create_app
from service.http.editions import Editions
from service.http.repeats import Repeats
from service.observability import metrics
from service.services import Services
from service.settings import Settings
from tests.http.story import story


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("repeats"), embedder="hashing", resolver="rules", log_level="error"
    )
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def services(working: TestClient) -> Services:
    return cast(Services, working.app.state.services)  # type: ignore[attr-defined]


def key(services: Services, *, library: str = "mine", quota: int = 1000) -> tuple[KeyRecord, dict[str, str]]:
    record, secret = access.create_key(
        services, name="test", library=library, scopes=[Scope.WRITE], quota_per_day=quota
    )
    return record, {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
def reader(services: Services) -> dict[str, str]:
    return key(services)[1]


@pytest.fixture(scope="module")
def answer(working: TestClient, reader: dict[str, str]) -> str:
    """The address of a description that was given twice."""
    taken = working.post("/v1/books", files={"file": story()}, params={"wait": 60}, headers=reader)
    book = taken.json()["book"]["id"]
    cast = working.get(f"/v1/books/{book}/characters", headers=reader).json()["items"]
    path = f"/v1/books/{book}/characters/{cast[0]['id']}/description"
    assert working.get(path, headers=reader).status_code == 200
    return path


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each request, whether it was answered before it was routed."""
    seen: list[bool] = []
    asked = Repeats._answer

    async def noted(self: Repeats, request: Any) -> Any:
        found = await asked(self, request)
        seen.append(found is not None)
        return found

    monkeypatch.setattr(Repeats, "_answer", noted)
    return seen


def headers_of(found: Any) -> dict[str, str]:
    return {name: value for name, value in found.headers.items() if name != "x-request-id"}


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_the_same_answer_as_the_route_gives(
    working: TestClient,
    reader: dict[str, str],
    answer: str,
    answered: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    encoding: str,
) -> None:
    plain = {**reader, "Accept-Encoding": encoding}
    kept = working.get(answer, headers=plain)
    unchanged = working.get(answer, headers={**plain, "If-None-Match": kept.headers["etag"]})
    assert answered == [True, True]
    with monkeypatch.context() as routed:
        routed.setattr(working.app.state.addresses, "_known", {})  # type: ignore[attr-defined]
        slow = working.get(answer, headers=plain)
        routed.setattr(working.app.state.addresses, "_known", {})  # type: ignore[attr-defined]
        same = working.get(answer, headers={**plain, "If-None-Match": kept.headers["etag"]})
    assert answered[2:] == [False, False]
    assert (slow.status_code, slow.content, headers_of(slow)) == (200, kept.content, headers_of(kept))
    assert (same.status_code, same.content, headers_of(same)) == (304, b"", headers_of(unchanged))


@pytest.mark.parametrize("ending", ["", "/characters", "/chapters/1", "/network"])
def test_of_other_answers_only_that_nothing_changed(
    working: TestClient, reader: dict[str, str], answer: str, answered: list[bool], ending: str
) -> None:
    path = answer.partition("/characters")[0] + ending
    etag = working.get(path, headers=reader).headers["etag"]
    assert working.get(path, headers={**reader, "If-None-Match": etag}).status_code == 304
    assert working.get(path, headers={**reader, "If-None-Match": '"other"'}).status_code == 200
    assert answered == [False, ending != "", False]


def test_only_what_was_asked_in_the_same_words(
    working: TestClient, reader: dict[str, str], answer: str, answered: list[bool]
) -> None:
    for query in ("?refresh=true", "?refresh=true", "?dry_run=true", "?words=3", "?words=3"):
        working.get(answer + query, headers=reader)
    assert answered == [False] * 5


def test_a_name_may_mean_another_tomorrow(
    working: TestClient, reader: dict[str, str], answer: str, answered: list[bool]
) -> None:
    name = working.get(answer, headers=reader).json()["characters"][0]["name"]
    for _ in range(2):
        assert working.get(f"/v1/characters/{name}/description", headers=reader).status_code == 200
    assert answered[1:] == [False, False]


def test_no_key_no_answer(
    working: TestClient, services: Services, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, mine = key(services)
    stranger = key(services, library="another")[1]
    assert working.get(answer, headers=mine).status_code == 200
    assert working.get(answer).status_code == 401
    assert working.get(answer, headers={"X-API-Key": "bw_no"}).status_code == 401
    assert working.get(answer, headers=stranger).status_code == 404
    with services.database.session() as session:
        KeyRepository(session).revoke(record.id)
    gate = working.app.state.gate  # type: ignore[attr-defined]
    now = gate._clock()
    monkeypatch.setattr(gate, "_clock", lambda: now + 1.1)
    assert working.get(answer, headers=mine).status_code == 401


def test_each_answer_is_counted_once(working: TestClient, services: Services, answer: str) -> None:
    mine = key(services, quota=5)[1]
    assert [working.get(answer, headers=mine).status_code for _ in range(6)] == [200] * 5 + [429]


def test_what_another_process_changes_is_seen_at_once(
    working: TestClient, services: Services, reader: dict[str, str], answer: str, answered: list[bool]
) -> None:
    book, character = answer.split("/")[3], answer.split("/")[5]
    etag = working.get(answer, headers=reader).headers["etag"]
    with services.database.session() as session:
        DecisionRepository(session).append(
            book, Decision(0, DecisionKind.RENAME, character=character, name="Somebody Else")
        )
    changed = working.get(answer, headers={**reader, "If-None-Match": etag})
    assert (changed.status_code, answered) == (200, [True, False])
    assert changed.json()["characters"][0]["name"] == "Somebody Else"
    with services.database.session() as session:
        BookRepository(session)._remark(book)
    assert working.get(answer, headers=reader).status_code == 200
    assert answered == [True, False, False]


def test_a_route_is_measured_as_ever(working: TestClient, reader: dict[str, str], answer: str) -> None:
    labels = {
        "route": "/books/{book_id}/characters/{key}/description",
        "method": "GET",
        "status": "200",
    }

    def counted() -> float:
        return metrics.REGISTRY.get_sample_value("bookworm_request_seconds_count", labels) or 0

    before = counted()
    assert working.get(answer, headers=reader).status_code == 200
    assert counted() == before + 1 > 1


class Slowly(Editions):
    """Counts its looks into the database, and lets them take as long as a test wants."""

    def __init__(self) -> None:
        super().__init__(cast(Database, None))
        self.looks: list[set[str]] = []
        self.found: dict[tuple[str, str], EditionRecord] = {}
        self.error: Exception | None = None

    def _read(self, ids: Any) -> dict[tuple[str, str], EditionRecord]:
        self.looks.append(set(ids))
        if self.error is not None:
            raise self.error
        return dict(self.found)


def test_who_asks_at_once_shares_a_look_and_who_asks_later_gets_a_new_one() -> None:
    async def ask() -> Slowly:
        editions = Slowly()
        first = EditionRecord("v1", 0, 0)
        editions.found["mine", "a"] = first
        together = [editions.current(book, library="mine") for book in ("a", "a", "b")]
        leaving = asyncio.create_task(editions.current("a", library="mine"))
        asked = asyncio.gather(*together)
        await asyncio.sleep(0)
        leaving.cancel()
        assert await asked == [first, first, None]
        second = editions.found["mine", "a"] = EditionRecord("v2", 0, 0)
        assert await editions.current("a", library="mine") == second
        assert await editions.current("a", library="another") is None
        editions.error = ValueError("away")
        with pytest.raises(ValueError, match="away"):
            await editions.current("a", library="mine")
        editions.error = None
        assert await editions.current("a", library="mine") == second
        return editions

    assert asyncio.run(ask()).looks[0] == {"a", "b"}
