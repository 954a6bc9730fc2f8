"""The result of a health check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.errors import BookwormError


class Health(StrEnum):
    WORKS = "works"
    DEGRADED = "degraded"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    group: str
    name: str
    health: Health
    detail: str
    remedy: str | None = None
    code: str | None = None
    """Of the error because of which it does not work."""
    needed: bool = True
    """Whether the settings require it. Optional parts may be missing."""


def told(error: Exception) -> tuple[str, str, str]:
    """Return the detail, remedy and code of a check that raised this error."""
    kind = type(error).__name__
    if isinstance(error, BookwormError):
        full = error.wording(candid=True)  # only administrators and the command line are shown checks
        return full.detail, full.remedy, error.code
    return f"{kind}: {error}", "Reinstall Bookworm. If the error remains, report it.", kind
