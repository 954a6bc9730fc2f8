"""Structured logs: one JSON object per line, with the id of the request or job that it belongs to.

A log line may contain ids, counts, timings, codes and class names. It never contains the text of a book, the
name of a character, a query string or a key: exceptions are logged by class and place, without their message.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO

import structlog

from service.observability.exceptions import describe_exception

_KEY = re.compile(r"bw_[A-Za-z0-9_-]{6,}")
_PRIVATE = frozenset(
    {"text", "detail", "query", "query_string", "name", "names", "key", "secret", "authorization", "path"}
)
_QUIET = (
    "uvicorn.access",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "python_multipart",
    "filelock",
    "alembic",
)
_DETAIL = re.compile(r"[:(\n]")
"""Where the message of an exception may begin in what a library logs."""

Event = MutableMapping[str, Any]


def configure(*, level: str = "INFO", json: bool = True, stream: TextIO | None = None) -> None:
    """Sends the logs of Bookworm and of its libraries through one handler, in one format."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        place_of_exception,
        withhold,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    _install(_handler(shared, json=json, stream=stream), level=level)


class _ToStderr(logging.StreamHandler[TextIO]):
    """Writes to the current `sys.stderr`, which may have been replaced since start-up."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def _handler(
    shared: list[structlog.types.Processor], *, json: bool, stream: TextIO | None
) -> logging.Handler:
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    )
    handler = logging.StreamHandler(stream) if stream else _ToStderr()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    return handler


def _install(handler: logging.Handler, *, level: str) -> None:
    root = logging.getLogger()
    for old in [h for h in root.handlers if getattr(h, "_bookworm", False)]:
        root.removeHandler(old)
    handler._bookworm = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    for name in _QUIET:
        # The access log of uvicorn and the logs of httpx contain raw URLs with names and queries.
        logging.getLogger(name).setLevel(logging.ERROR)


def place_of_exception(_: Any, __: str, event: Event) -> Event:
    """Logs the class of an exception and its stack, never its message."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event.update(describe_exception(error))
    return event


def withhold(_: Any, __: str, event: Event) -> Event:
    """A second safeguard: removes fields that could contain the text of a book, a name or a key."""
    for field, value in event.items():
        if field in _PRIVATE:
            event[field] = "…"
        elif isinstance(value, str) and "bw_" in value:
            event[field] = _KEY.sub("bw_…", value)
    return event


class Seldom(logging.Filter):
    """Passes what a library repeats once a minute, with how often it was held back, and without details."""

    def __init__(self, *, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._passed: dict[tuple[str, object], tuple[float, int]] = {}
        """When each beginning, with what was raised, last passed, and how often it was held back since."""

    def filter(self, record: logging.LogRecord) -> bool:
        beginning = _DETAIL.split(record.getMessage(), maxsplit=1)[0].strip()
        raised = record.exc_info[0] if record.exc_info else None
        with self._lock:
            self._forget()
            passed, held = self._passed.get((beginning, raised), (None, 0))
            if passed is not None and self._clock() - passed < self._seconds:
                self._passed[beginning, raised] = passed, held + 1
                return False
            self._passed[beginning, raised] = self._clock(), 0
        record.msg, record.args = (
            (f"{beginning} ({held} more since the last line)" if held else beginning),
            (),
        )
        return True

    def _forget(self) -> None:
        """Beginnings may contain ids, so that there is no end of them."""
        before = self._clock() - 2 * self._seconds
        self._passed = {text: last for text, last in self._passed.items() if last[0] > before}


def logger(name: str) -> structlog.stdlib.BoundLogger:
    found: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return found
