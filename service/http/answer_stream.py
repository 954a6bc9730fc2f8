"""Stream an answer as events while it is generated, from the thread of the generator to the event loop.

Events are `text` (a piece), `thinking` (the model thinks, and nothing is shown), `progress` (so many of the
texts that lead to the answer are written), `again` (discard the text so far, with the reason), `book` (the
whole answer of one of several books, whose text ends there), and at the end `answer` (the whole answer) or
`error` (a problem). The generator never waits for the client: pending pieces are joined, and discarded ones
are dropped, so at most one answer of each book is held in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from threading import Lock
from typing import Final

from books.errors import BookwormError
from service.http.errors import InternalError
from service.http.sse import STILL_HERE, Pace, event_frame, problem_frame
from service.observability import logs

log = logs.logger("bookworm.http")

MOST_UNHEARD: Final = 1_000_000
"""Pending characters after which the client counts as disconnected. No answer is that long."""

_writing: Final[set[asyncio.Future[str]]] = set()
"""References to running futures. The event loop alone would not keep those without a listener."""


class Channel:
    """The audience of a generator. It is called in the threads of the generator, and wakes the event loop."""

    def __init__(self, *, candid: bool) -> None:
        """`candid` if an administrator listens, who reads errors in full."""
        self.candid = candid
        self._awake, self._loop = asyncio.Event(), asyncio.get_running_loop()
        self._lock = Lock()
        self._void: str | None = None
        self._pieces: list[str] = []
        self._unheard = 0
        self._thinks = False
        self._step: tuple[int, int] | None = None
        self._books: list[str] = []
        self._gone = False

    def hear(self, piece: str) -> None:
        with self._lock:
            self._pieces.append(piece)
            self._unheard += len(piece)
            if self._unheard > MOST_UNHEARD:
                self._gone = True
        self.wake()

    def again(self, reason: str) -> None:
        with self._lock:
            self._pieces.clear()
            self._unheard = 0
            self._void = reason
        self.wake()

    def think(self) -> None:
        with self._lock:
            self._thinks = True
        self.wake()

    def advance(self, done: int, parts: int) -> None:
        with self._lock:
            self._step = (done, parts)
        self.wake()

    def tell(self, answer: str) -> None:
        """Send the whole answer of one of several books, as JSON. What comes next is of another."""
        with self._lock:
            self._pieces.clear()
            self._void, self._unheard = None, 0
            self._books.append(event_frame("book", answer))
        self.wake()

    def wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, and all clients with it
            self._loop.call_soon_threadsafe(self._awake.set)

    async def woken(self, *, within: float) -> bool:
        """Whether a piece arrived within this number of seconds."""
        try:
            await asyncio.wait_for(self._awake.wait(), within)
        except TimeoutError:
            return False
        finally:
            self._awake.clear()
        return True

    def gone(self) -> bool:
        return self._gone

    def leave(self) -> None:
        self._gone = True

    def take(self) -> list[str]:
        """Return and remove the pending frames."""
        with self._lock:
            void, text = self._void, "".join(self._pieces)
            thinks, self._thinks = self._thinks, False
            step, self._step = self._step, None
            self._void, self._unheard = None, 0
            self._pieces.clear()
            frames, self._books = self._books, []
        if void is not None:
            frames.append(event_frame("again", json.dumps({"reason": void}, ensure_ascii=False)))
        if thinks:
            frames.append(event_frame("thinking", "{}"))
        if step is not None:
            frames.append(event_frame("progress", json.dumps({"done": step[0], "parts": step[1]})))
        if text:
            frames.append(event_frame("text", json.dumps({"text": text}, ensure_ascii=False)))
        return frames


async def frames(pace: Pace, channel: Channel, writing: asyncio.Future[str]) -> AsyncGenerator[str]:
    """Yield frames until the answer or an error. The generator is cancelled if the client disconnects.

    `writing` returns the whole answer as JSON, and the channel is its audience.
    """
    _writing.add(writing)
    writing.add_done_callback(_forget)
    writing.add_done_callback(lambda _: channel.wake())
    try:
        yield ": writing\n\n"
        while not writing.done():
            for frame in channel.take():
                yield frame
            if not await channel.woken(within=pace.heartbeat):
                yield STILL_HERE
        for frame in channel.take():
            yield frame
        yield _end(writing, candid=channel.candid)
    finally:
        channel.leave()


def _forget(writing: asyncio.Future[str]) -> None:
    _writing.discard(writing)
    if not writing.cancelled():
        writing.exception()  # mark it as retrieved, because no client is left to receive it


def _end(writing: asyncio.Future[str], *, candid: bool) -> str:
    try:
        return event_frame("answer", writing.result())
    except BookwormError as error:
        return problem_frame(error, candid=candid)
    except Exception as error:
        log.error("unhandled", exc_info=error)
        return problem_frame(InternalError("An internal error occurred."))
