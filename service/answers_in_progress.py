"""Answers in progress: a second request for the same answer waits for the first one and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, TypeVar

from generation.errors import WritingCancelled
from generation.protocols import Audience

T = TypeVar("T")

_LOOK: Final = 0.2
"""Seconds between two checks that the waiting client is still connected."""


class Making:
    def __init__(self) -> None:
        self._lock = Lock()
        self._going: dict[str, Future[Any]] = {}

    def __len__(self) -> int:
        return len(self._going)

    def once(self, key: str, make: Callable[[], T], *, audience: Audience | None = None) -> tuple[T, bool]:
        """Returns the result of `make`, and whether this call made it. All waiters get its exception.

        The same key is always of the same kind of result.
        """
        while True:
            with self._lock:
                going = self._going.get(key)
                if going is None:
                    mine = self._going[key] = Future()
                    break
            try:
                return _wait(going, audience), False
            except WritingCancelled:
                if audience is not None and audience.gone():
                    raise
                # The client that requested it has disconnected, so this call makes it.
        try:
            made = make()
        except BaseException as error:
            self._end(key)
            mine.set_exception(error)
            raise
        self._end(key)
        mine.set_result(made)
        return made, True

    def _end(self, key: str) -> None:
        with self._lock:
            del self._going[key]


def _wait(going: Future[T], audience: Audience | None) -> T:
    while True:
        try:
            return going.result(None if audience is None else _LOOK)
        except TimeoutError:
            if going.done():
                raise  # this call made it, so the cancellation is its own
            if audience is not None and audience.gone():
                raise WritingCancelled("No client is waiting for this answer any more.") from None
