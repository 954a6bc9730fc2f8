"""Data of the current request, passed to threads and log lines in context variables."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from typing import Final

import structlog

_SANE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_notes: ContextVar[dict[str, str] | None] = ContextVar("notes", default=None)


def begin(given: str | None) -> str:
    """Uses the request id of the client if it is valid, otherwise creates one."""
    request_id = given if given and _SANE.fullmatch(given) else secrets.token_hex(8)
    _request_id.set(request_id)
    _notes.set({})
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id)
    return request_id


def request_id() -> str:
    return _request_id.get()


def note(**fields: str) -> None:
    """Adds fields to the log line of the request, for example an error code or the id of the key."""
    notes = _notes.get()
    if notes is not None:
        notes.update(fields)


def notes() -> dict[str, str]:
    return _notes.get() or {}
