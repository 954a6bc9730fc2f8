"""Server-sent events of a book, which can be resumed by their ids.

The events table is the only source, so a stream can follow a job in any process. It is read in the thread
pool between short sleeps. No thread and no database connection is held in the meantime.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from anyio import to_thread
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from books.errors import BookwormError
from db.types import EventRecord
from service.http import problems
from service.http.errors import TooManyStreams
from service.library import Library
from service.observability import metrics
from service.usecases import jobs
from service.wire.jobs import EventOut

MEDIA_TYPE: Final = "text/event-stream"
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
STILL_HERE: Final = ": still here\n\n"
_BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals of polling and keep-alive comments, and the time after which clients must reconnect."""

    poll: float = 0.3
    heartbeat: float = 15.0
    longest: float = 3600.0
    patience: float = 10.0
    """How long the database may be away before a stream ends."""
    most_streams: int = 64


class Streams:
    """The open streams of this process, up to a limit."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self._open = 0

    def enter(self) -> None:
        if self._open >= self.pace.most_streams:
            raise TooManyStreams(f"{self._open} event streams are open.")
        self._open += 1
        metrics.STREAMS.set(self._open)

    def leave(self) -> None:
        self._open -= 1
        metrics.STREAMS.set(self._open)


class EventStream(StreamingResponse):
    """A response of events, one of the open streams from when it is made until it is sent or given up."""

    def __init__(self, streams: Streams, frames: AsyncGenerator[str]) -> None:
        streams.enter()
        self._streams = streams
        super().__init__(frames, media_type=MEDIA_TYPE, headers=_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.leave()


async def follow(
    library: Library, pace: Pace, *, book_id: str, after: int, forever: bool
) -> AsyncGenerator[str]:
    """Frames until the book has no running job and all events are sent; without end if `forever`."""
    last = after
    until = quiet_since = looked = time.monotonic()
    until += pace.longest
    yield f"retry: {int(pace.poll * 1000) + 700}\n\n"
    while time.monotonic() < until:
        try:
            working, found = await to_thread.run_sync(_look, library, book_id, last)
        except BookwormError as error:
            if error.retryable and time.monotonic() - looked < pace.patience:
                await asyncio.sleep(pace.poll)
                continue
            yield problem_frame(error)
            return
        looked = time.monotonic()
        for event in found:
            last = event.id
            yield frame(event)
        if not found and not working and not forever:
            return
        if found:
            quiet_since = time.monotonic()
        elif time.monotonic() - quiet_since >= pace.heartbeat:
            quiet_since = time.monotonic()
            yield STILL_HERE
        if len(found) < _BATCH:
            await asyncio.sleep(pace.poll)


def _look(library: Library, book_id: str, after: int) -> tuple[bool, list[EventRecord]]:
    # The job is checked first: if it ends in between, its last event is among those read next.
    working = jobs.active(library.services, book_id=book_id) is not None
    return working, jobs.events(library, book_id=book_id, after=after, limit=_BATCH)


def frame(event: EventRecord) -> str:
    return f"id: {event.id}\n" + event_frame(event.kind, EventOut.of(event).model_dump_json())


def problem_frame(error: BookwormError, *, candid: bool = False) -> str:
    """The last event of a stream that cannot go on."""
    body = problems.problem(error, candid=candid)
    return event_frame("error", body.model_dump_json(exclude_none=True))


def event_frame(kind: str, data: str) -> str:
    """`data` must not contain line breaks. JSON never does, so one data line is enough."""
    return f"event: {kind}\ndata: {data}\n\n"
