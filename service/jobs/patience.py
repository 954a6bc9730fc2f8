"""Retry what fails for a while, and count what is at work, so that a worker can wait for it when it stops."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from books.errors import BookwormError
from db.errors import DatabaseAway, StorageFull
from service.jobs.attempt import TELL_SECONDS
from service.jobs.errors import HandedOver, may_pass, reason
from service.observability.logs import logger

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
AWAY: Final = (DatabaseAway,)
NOT_WRITTEN: Final = (DatabaseAway, StorageFull)
"""What keeps the row of a job from being written. How a job ends must be, so this is waited for."""

T = TypeVar("T")
log = logger("bookworm.jobs")


class Patience:
    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping

    def __call__(
        self,
        action: Callable[[], T],
        *,
        tries: int = 1,
        idle: Callable[[], None] | None = None,
        waits_for: tuple[type[BookwormError], ...] = AWAY,
    ) -> T:
        """Retries temporary failures with growing pauses, and waits for `waits_for` without a limit."""
        failures, pause = 0, FIRST_PAUSE
        while True:
            try:
                return action()
            except Exception as error:
                failures += 1
                if self._stopping.is_set():
                    raise HandedOver from error
                if not isinstance(error, waits_for) and (failures >= tries or not may_pass(error)):
                    raise
                log.warning("trying again", code=reason(error).code, failures=failures, pause=pause)
            self._wait(pause, idle)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _wait(self, seconds: float, idle: Callable[[], None] | None) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._stopping.wait(min(left, TELL_SECONDS)):
                raise HandedOver
            if idle is not None:
                idle()


class Executions:
    """The executions of jobs that are going on in this process."""

    def __init__(self) -> None:
        self._working: Counter[str] = Counter()
        self._idle = threading.Condition()

    @contextmanager
    def working(self, job_id: str) -> Iterator[None]:
        with self._idle:
            self._working[job_id] += 1
        try:
            yield
        finally:
            with self._idle:
                self._working -= Counter((job_id,))
                self._idle.notify_all()

    def at_work(self) -> frozenset[str]:
        """The ids of the jobs."""
        with self._idle:
            return frozenset(self._working)

    def wait_until_idle(self, timeout: float) -> bool:
        with self._idle:
            return self._idle.wait_for(lambda: not self._working, timeout)
