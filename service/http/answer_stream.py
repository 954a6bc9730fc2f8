"""Streams an answer while it is generated, from the thread of the generator to the event loop, as events.

Events are `text` (a piece), `again` (discard the text so far, with the reason), and at the end `answer` (the
whole answer) or `error` (a problem). The generator never waits for the client: pending pieces are joined, and
discarded ones are dropped, so at most one answer is held in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from threading import Lock
from typing import Final

from anyio import CapacityLimiter, to_thread

from books.errors import BookwormError
from generation.errors import WritingCancelled
from generation.protocols import Audience
from service.http import problems
from service.http.errors import InternalError
from service.http.sse import STILL_HERE, Streams, event_frame
from service.observability import logs

log = logs.logger("bookworm.http")

MOST_UNHEARD: Final = 1_000_000
"""Pending characters after which the client counts as disconnected. No answer is that long."""

Work = Callable[[Audience], str]
"""Generates the answer and returns it as JSON."""

_writing: Final[set[asyncio.Future[str]]] = set()
"""References to running futures. The event loop alone would not keep those without a listener."""


class Channel:
    """The audience of a generator. `wake` is called from the threads of the generator."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = Lock()
        self._void: str | None = None
        self._pieces: list[str] = []
        self._unheard = 0
        self._gone = False

    def hear(self, piece: str) -> None:
        with self._lock:
            self._pieces.append(piece)
            self._unheard += len(piece)
            if self._unheard > MOST_UNHEARD:
                self._gone = True
        self._wake()

    def again(self, reason: str) -> None:
        with self._lock:
            self._pieces.clear()
            self._unheard = 0
            self._void = reason
        self._wake()

    def gone(self) -> bool:
        return self._gone

    def leave(self) -> None:
        self._gone = True

    def take(self) -> list[str]:
        """Returns the pending frames."""
        with self._lock:
            void, text = self._void, "".join(self._pieces)
            self._void, self._unheard = None, 0
            self._pieces.clear()
        frames = []
        if void is not None:
            frames.append(event_frame("again", json.dumps({"reason": void}, ensure_ascii=False)))
        if text:
            frames.append(event_frame("text", json.dumps({"text": text}, ensure_ascii=False)))
        return frames


async def frames(streams: Streams, work: Work, *, threads: CapacityLimiter) -> AsyncIterator[str]:
    """Frames until the answer or an error. The generator is cancelled if the client disconnects."""
    awake, loop = asyncio.Event(), asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended, and all clients with it
            loop.call_soon_threadsafe(awake.set)

    channel = Channel(wake)
    writing = asyncio.ensure_future(to_thread.run_sync(_write, work, channel, limiter=threads))
    _writing.add(writing)
    writing.add_done_callback(_forget)
    writing.add_done_callback(lambda _: awake.set())
    try:
        yield ": writing\n\n"
        while not writing.done():
            for frame in channel.take():
                yield frame
            try:
                await asyncio.wait_for(awake.wait(), streams.pace.heartbeat)
            except TimeoutError:
                yield STILL_HERE
            awake.clear()
        for frame in channel.take():
            yield frame
        yield _end(writing)
    finally:
        channel.leave()
        streams.leave()


def _write(work: Work, channel: Channel) -> str:
    if channel.gone():  # the client disconnected while this waited for a thread
        raise WritingCancelled("No client is waiting for this answer any more.")
    return work(channel)


def _forget(writing: asyncio.Future[str]) -> None:
    _writing.discard(writing)
    if not writing.cancelled():
        writing.exception()  # mark it as retrieved, because no client is left to receive it


def _end(writing: asyncio.Future[str]) -> str:
    try:
        return event_frame("answer", writing.result())
    except BookwormError as error:
        return _problem(error)
    except Exception as error:
        log.error("unhandled", exc_info=error)
        return _problem(InternalError("An internal error occurred."))


def _problem(error: BookwormError) -> str:
    return event_frame("error", problems.problem(error).model_dump_json(exclude_none=True))
