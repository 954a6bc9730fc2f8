"""Periodic maintenance of a worker, on one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from books.errors import BookwormError
from service.observability.logs import logger

log = logger("bookworm.jobs")


@dataclass(frozen=True, slots=True)
class Chore:
    name: str
    every: float
    """Interval in seconds."""
    do: Callable[[], None]


class Upkeep(threading.Thread):
    """Runs the chores. One that fails is retried at its next interval, when the database may be back."""

    def __init__(self, chores: tuple[Chore, ...]) -> None:
        super().__init__(name="bookworm-upkeep", daemon=True)
        self._due = dict.fromkeys(chores, 0.0)
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(max(0.05, min(self._due.values()) - time.monotonic())):
            for chore, due in self._due.items():
                if due <= time.monotonic() and not self._stopped.is_set():
                    _attempt(chore)
                    self._due[chore] = time.monotonic() + chore.every

    def stop(self) -> None:
        self._stopped.set()
        if self.is_alive():
            self.join()


def _attempt(chore: Chore) -> None:
    try:
        chore.do()
    except BookwormError as error:
        log.warning("chore failed", chore=chore.name, code=error.code)
    except Exception:
        log.error("chore failed", chore=chore.name, exc_info=True)
