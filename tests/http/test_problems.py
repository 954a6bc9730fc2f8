"""One shape for every error, one table for their meaning, and nothing internal in a 500."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient

from books.errors import BookwormError
from coref.errors import CharacterAmbiguous
from db.errors import DatabaseAway, JobRunning
from generation.errors import GeneratorUnavailable
from retrieval.errors import IndexStale
from service.access import QuotaExceeded
from service.http import problems
from service.http.middleware import BodyLimit, Deadline, HeadAsGet, RequestContext
from service.http.statuses import STATUS

SECRET = "the butler did it, and his key is bw_secret"


class Unheard(BookwormError):
    code = "unheard"


ERRORS = {
    "ambiguous": CharacterAmbiguous("Two Annes.", candidates=("anne-1", "anne-2")),
    "running": JobRunning("Busy.", job="job_7"),
    "away": DatabaseAway("Away."),
    "mending": IndexStale("Old.", job="job_7"),
    "unset": GeneratorUnavailable("No model is set."),
    "quota": QuotaExceeded("Spent.", retry_after=3599.2),
    "unheard": Unheard(SECRET),
    "crash": ZeroDivisionError(SECRET),
}


@pytest.fixture
def client() -> Iterator[TestClient]:
    app = FastAPI(openapi_url=None)

    @app.get("/raise/{name}")
    def raise_(name: str) -> None:
        raise ERRORS[name]

    @app.get("/number/{number}")
    def number(number: int) -> int:
        return number

    @app.put("/number/{number}")
    def replace(number: int) -> int:
        return number

    @app.post("/echo")
    async def echo(body: dict[str, str]) -> dict[str, str]:
        return body

    @app.get("/slow")
    async def slow() -> None:
        await asyncio.sleep(5)

    problems.install(app)
    app.add_middleware(BodyLimit, limit_for=lambda _: 1000, stall_seconds=5)
    app.add_middleware(Deadline, seconds_for=lambda _: 0.2)
    app.add_middleware(RequestContext)
    app.add_middleware(HeadAsGet)
    with TestClient(app) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/raise/ambiguous", 409, "character_ambiguous"),
        ("/raise/running", 409, "job_running"),
        ("/raise/away", 503, "database_away"),
        ("/raise/quota", 429, "quota_exceeded"),
        ("/raise/unheard", 500, "internal_error"),
        ("/raise/crash", 500, "internal_error"),
        ("/number/seven", 422, "request_invalid"),
        ("/nothing/here", 404, "route_unknown"),
        ("/slow", 503, "took_too_long"),
    ],
)
def test_every_error_has_the_one_shape(client: TestClient, path: str, status: int, code: str) -> None:
    answer = client.get(path, headers={"X-Request-ID": "abc-1"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, problems.MEDIA_TYPE)
    body = problems.Problem.model_validate(answer.json())
    assert (body.code, body.status, body.type) == (code, status, f"/docs#{code}")
    assert body.detail
    assert body.remedy
    assert body.title
    assert body.instance == "urn:bookworm:request:abc-1"
    assert answer.headers["X-Request-ID"] == "abc-1"
    assert "bw_secret" not in answer.text
    assert "butler" not in answer.text


def test_what_travels_with_an_error(client: TestClient) -> None:
    assert client.get("/raise/ambiguous").json()["candidates"] == ["anne-1", "anne-2"]
    assert client.get("/raise/running").json()["job"] == "job_7"
    assert client.get("/number/seven").json()["errors"][0]["where"] == "path.number"
    assert "candidates" not in client.get("/raise/away").json()


def test_when_to_come_back(client: TestClient) -> None:
    assert client.get("/raise/quota").headers["Retry-After"] == "3600"
    assert int(client.get("/raise/away").headers["Retry-After"]) >= 1
    assert "Retry-After" in client.get("/raise/mending").headers
    for lasting in ("/number/seven", "/raise/unset"):
        assert "Retry-After" not in client.get(lasting).headers


def test_a_method_that_is_not_taken(client: TestClient) -> None:
    answer = client.delete("/number/7")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, PUT"


def test_head_is_answered_like_get(client: TestClient) -> None:
    asked, got = client.head("/number/7"), client.get("/number/7")
    assert (asked.status_code, asked.headers["content-length"], asked.content) == (200, "1", b"")
    assert asked.headers["content-type"] == got.headers["content-type"]
    assert client.head("/raise/quota").status_code == client.get("/raise/quota").status_code


def test_the_head_of_what_goes_on_ends_when_it_has_begun() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"and "
            await asyncio.sleep(0.01)

    app = FastAPI()
    app.get("/story")(lambda: StreamingResponse(endless()))
    app.add_middleware(HeadAsGet)
    answer = TestClient(app).head("/story")
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_body_that_is_too_large_or_not_json(client: TestClient) -> None:
    declared = client.post("/echo", json={"a": "b" * 2000})
    streamed = client.post("/echo", content=iter([b'{"a": "', b"b" * 2000, b'"}']))
    for answer in (declared, streamed):
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
        assert answer.headers["connection"] == "close"
    garbled = client.post("/echo", content=b"{", headers={"content-type": "application/json"})
    assert (garbled.status_code, garbled.json()["code"]) == (422, "request_invalid")
    (part,) = garbled.json()["errors"]
    assert part["where"] == "body"
    assert part["problem"].startswith("not JSON: Expecting property name")
    no_text = client.post("/echo", content=b"\xff", headers={"content-type": "application/json"})
    assert (no_text.status_code, no_text.json()["errors"][0]["where"]) == (422, "body")
    assert client.post("/echo", json={"a": "b"}).json() == {"a": "b"}


@pytest.mark.parametrize("given", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_body_of_another_media_type(client: TestClient, given: str | None) -> None:
    answer = client.post("/echo", content=b'{"a": "b"}', headers={"content-type": given} if given else {})
    assert (answer.status_code, answer.json()["code"]) == (415, "media_type_unsupported")
    assert answer.json()["detail"].startswith("This operation takes application/json, and the body is ")
    assert client.post("/echo").json()["errors"][0]["where"] == "body"
    named = client.post("/echo", content=b'{"a": 1}', headers={"content-type": "application/ld+json; v=1"})
    assert (named.status_code, named.json()["errors"][0]["where"]) == (422, "body.a")


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "new\tline", "<script>"])
def test_an_unseemly_request_id_is_replaced(client: TestClient, given: str) -> None:
    answer = client.get("/number/1", headers={"X-Request-ID": given})
    assert answer.headers["X-Request-ID"] != given


def test_statuses_are_errors() -> None:
    assert all(400 <= status <= 599 for status in STATUS.values())


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in STATUS if kind.code != BookwormError.code]
    assert len(codes) == len(set(codes))
