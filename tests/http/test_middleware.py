"""What can only be seen from below: a body that stalls, an answer that breaks off, a caller who goes away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import pytest
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.app import ROUTERS
from service.http.errors import TooManyStreams
from service.http.middleware import BodyLimit, Deadline, RequestContext, is_upload, is_writing
from service.http.sse import EventStream, Pace, Streams


def scope(path: str = "/v1/books", *, method: str = "POST") -> Scope:
    return {"type": "http", "method": method, "path": path, "headers": [], "query_string": b"", "state": {}}


def run(app: ASGIApp, receive: Receive, **fields: Any) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(scope(**fields), receive, send))  # type: ignore[arg-type]
    return sent


async def never() -> Message:
    await asyncio.sleep(60)
    raise AssertionError("nobody should have waited")


async def reads_all(_: Scope, receive: Receive, send: Send) -> None:
    """An application that reads its body and lets HTTP errors through, as a form parser does."""
    from service.http.problems import Refused, respond

    try:
        while (await receive()).get("more_body"):
            pass
    except Refused as refused:
        await respond(refused.error)(scope(), receive, send)


def test_a_body_that_stalls_is_given_up() -> None:
    sent = run(BodyLimit(reads_all, limit_for=lambda _: 1000, stall_seconds=0.05), never)
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["code"] == "body_stalled"
    assert (b"connection", b"close") in sent[0]["headers"]


@pytest.mark.parametrize(("pieces", "status"), [([600, 400], None), ([600, 401], 413)])
def test_the_limit_is_exact(pieces: list[int], status: int | None) -> None:
    left = [b"x" * size for size in pieces]

    async def receive() -> Message:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    sent = run(BodyLimit(reads_all, limit_for=lambda _: 1000, stall_seconds=5), receive)
    assert [m["status"] for m in sent if "status" in m] == ([status] if status else [])


def test_an_answer_that_breaks_off_is_cut_without_a_word() -> None:
    async def breaks(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ValueError("the butler did it")

    with pytest.raises(ConnectionAbortedError) as cut:
        run(RequestContext(breaks), never)
    assert "butler" not in str(cut.value)
    assert cut.value.__suppress_context__


def test_a_stream_that_has_begun_has_no_deadline() -> None:
    async def slow_stream(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        await send({"type": "http.response.body", "body": b"end"})

    sent = run(Deadline(slow_stream, seconds_for=lambda _: 0.05), never)
    assert sent[-1]["body"] == b"end"


@pytest.mark.parametrize("turns", range(5))
def test_an_answer_that_begins_as_its_time_ends_is_given_or_given_up(turns: int) -> None:
    """The deadline ends one task of a response. Another may go on for a few turns of the loop."""

    async def two_tasks(_: Scope, receive: Receive, send: Send) -> None:
        async def answer() -> None:
            time.sleep(0.04)
            for _ in range(turns):
                await asyncio.sleep(0)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(answer)
            await receive()

    sent = run(Deadline(two_tasks, seconds_for=lambda _: 0.02), never)
    assert [m["status"] for m in sent if "status" in m] == [200 if turns < 2 else 503]


def test_only_uploads_are_exempt_from_the_deadline() -> None:
    assert is_upload(scope("/v1/books"))
    assert is_upload(scope("/books"))
    assert not is_upload(scope("/v1/books", method="GET"))
    assert not is_upload(scope("/v1/books/bk_1/decisions"))


@pytest.mark.parametrize(
    ("path", "writing"),
    [
        ("/v1/books/bk_1/characters/Mr%20Ford/description", True),
        ("/books/bk_1/characters/x/analysis/", True),
        ("/characters/x/description", True),
        ("/v1/books/bk_1/descriptions", True),
        ("/v1/books/bk_1/questions", True),
        ("/v1/questions", True),
        ("/v1/books/bk_1/quiz", False),
        ("/v1/books/bk_1/characters/x/profile", False),
        ("/v1/books/bk_1/characters", False),
    ],
)
def test_what_is_written_may_take_longer(path: str, writing: bool) -> None:
    assert is_writing(scope(path, method="GET")) is writing


def test_whatever_a_language_model_may_fail_has_the_time_for_one() -> None:
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    waiting = {route.path for route in routes if 502 in route.responses}
    assert {"/books/{book_id}/quiz/corrections", "/operations/model/try"} < waiting
    assert not [path for path in waiting if not is_writing(scope(f"/v1{path}"))]


def test_streams_are_counted_out_as_they_are_counted_in() -> None:
    streams = Streams(Pace(most_streams=2))

    async def told() -> AsyncGenerator[str]:
        yield "once upon a time"

    async def cannot(_: Message) -> None:
        raise ConnectionResetError

    async def held() -> None:
        for _ in range(3):  # not a word is sent, so there is nothing that comes to an end
            with pytest.raises(ConnectionResetError):
                await EventStream(streams, told())(scope(), never, cannot)
        EventStream(streams, told())
        EventStream(streams, told())
        with pytest.raises(TooManyStreams):
            EventStream(streams, told())

    asyncio.run(held())
