"""What the exit status means, and how an error is told on the terminal."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from books.errors import BookwormError
from coref.errors import CharacterAmbiguous


class Exit(IntEnum):
    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    AMBIGUOUS = 4
    UNAVAILABLE = 5
    INTERRUPTED = 130


MEANING: dict[Exit, str] = {
    Exit.OK: "It worked.",
    Exit.ERROR: "It did not work; the message names the error's code.",
    Exit.USAGE: "The command line is wrong.",
    Exit.NOT_FOUND: "There is no such book, character, fact, job or key, or not at this place in the story.",
    Exit.AMBIGUOUS: "The name fits several characters; the message lists them.",
    Exit.UNAVAILABLE: "Something it needs is away or busy: try again, or ask `bookworm doctor`.",
    Exit.INTERRUPTED: "Stopped from the keyboard.",
}

STATUSES: dict[int, Exit] = {
    404: Exit.NOT_FOUND,
    408: Exit.UNAVAILABLE,
    429: Exit.UNAVAILABLE,
    502: Exit.UNAVAILABLE,
    503: Exit.UNAVAILABLE,
}
"""The one table of what errors mean is HTTP's; this is what its statuses mean here."""


def exit_of(error: BookwormError) -> Exit:
    from service.http.statuses import STATUS

    if isinstance(error, CharacterAmbiguous):
        return Exit.AMBIGUOUS
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
    return STATUSES.get(status, Exit.ERROR)


def candidates_of(error: BookwormError) -> list[str]:
    return [str(c) for c in getattr(error, "candidates", ())]


def problem(error: BookwormError) -> dict[str, Any]:
    """The members of an HTTP problem that make sense without HTTP."""
    body: dict[str, Any] = {"code": error.code, "detail": error.detail, "remedy": error.advice}
    if candidates := candidates_of(error):
        body["candidates"] = candidates
    return body
