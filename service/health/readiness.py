"""Readiness: the database responds, the store accepts a file, and the engines can be created."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

from books.errors import BookwormError
from service.default_generator import OPENAI
from service.engines import LLM
from service.health.doctor import Named
from service.health.engine_status import Condition, conditions
from service.health.server_watch import ServerWatch
from service.observability.logs import logger
from service.services import Services

log = logger("bookworm.health")

INTERNAL: Final = "internal_error"
_FRESH_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Health:
    database: str | None
    """None if it responds, otherwise the error code."""
    store: str | None
    degraded: dict[str, str]
    """Engines that do not work, with the error code."""

    @property
    def ready(self) -> bool:
        return self.database is None and self.store is None


class Checks:
    """Checks the database each time, and the store and the engines only every few seconds.

    The server of a language model is watched, so that no probe waits for it.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._server: ServerWatch | None = None
        self._lock = threading.Lock()
        self._slow: tuple[float, str | None, dict[str, str]] | None = None
        self._conditions_lock = threading.Lock()
        self._conditions: tuple[float, datetime, tuple[Condition, ...]] | None = None

    def look(self) -> Health:
        store, degraded = self._look_slowly()
        if (served := self._served()) and (fault := self._watch().fault()):
            degraded = degraded | dict.fromkeys(served, fault)
        return Health(_trouble(self._services.database.ping), store, degraded)

    def engines(self) -> tuple[tuple[Condition, ...], datetime]:
        """The status of the engines in use, and when they were checked. Servers are called for it."""
        with self._conditions_lock:
            if self._conditions is None or time.monotonic() - self._conditions[0] > _FRESH_SECONDS:
                found = conditions(self._services)
                self._conditions = (time.monotonic(), datetime.now(UTC), found)
            return self._conditions[2], self._conditions[1]

    def _look_slowly(self) -> tuple[str | None, dict[str, str]]:
        with self._lock:
            if self._slow is None or time.monotonic() - self._slow[0] > _FRESH_SECONDS:
                found = (_trouble(self._services.store.probe), self._degraded())
                self._slow = (time.monotonic(), *found)
            return self._slow[1:]

    def _watch(self) -> ServerWatch:
        """Return the watch of the server that writes now: another may be chosen at any time."""
        setup = self._services.engines.rule.writers().openai
        watch = self._server
        if watch is None or watch.setup != setup:
            self._server = watch = ServerWatch(setup)
        return watch

    def _degraded(self) -> dict[str, str]:
        engines, served = self._services.engines, self._served()
        makes: dict[str, Callable[[], Named]] = {
            "resolver": lambda: engines.resolver,
            "embedder": lambda: engines.embedder,
            "generator": engines.generator,
            "extractor": lambda: engines.extractor,
            "judge": lambda: engines.judge,
        }
        tries = {kind: make if kind in served else partial(_name, make) for kind, make in makes.items()}
        return {kind: code for kind, attempt in tries.items() if (code := _trouble(attempt))}

    def _served(self) -> list[str]:
        """Return the engines that ask a server. It may have to be asked even for their names."""
        engines = self._services.engines
        if engines.rule.writers().openai.url is None:
            return []
        (finding, finder), (judging, judged_by) = engines.checkers()
        asked = {
            "generator": engines.default.name,
            "extractor": finder if finding == LLM else None,
            "judge": judged_by if judging == LLM else None,
        }
        return [kind for kind, name in asked.items() if name == OPENAI]


def _name(make: Callable[[], Named]) -> str:
    return make().name


def _trouble(attempt: Callable[[], object]) -> str | None:
    try:
        attempt()
    except BookwormError as error:
        return error.code
    except Exception as error:
        # The check must return a result whatever an engine or a disk raises.
        log.error("check failed", exc_info=error)
        return INTERNAL
    return None
