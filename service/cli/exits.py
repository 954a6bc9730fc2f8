"""Exit statuses, and the data of error messages."""

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
    Exit.OK: "Success.",
    Exit.ERROR: "The command failed. The message includes the error code.",
    Exit.USAGE: "The command line is invalid.",
    Exit.NOT_FOUND: "The book, character, fact, job or key does not exist, or not in what you have read.",
    Exit.AMBIGUOUS: "The name matches several characters. The message lists them.",
    Exit.UNAVAILABLE: "A dependency is unavailable or busy. Try again, or run `bookworm doctor`.",
    Exit.INTERRUPTED: "Interrupted from the keyboard.",
}

STATUSES: dict[int, Exit] = {
    404: Exit.NOT_FOUND,
    408: Exit.UNAVAILABLE,
    429: Exit.UNAVAILABLE,
    502: Exit.UNAVAILABLE,
    503: Exit.UNAVAILABLE,
}
"""Exit status by HTTP status. Errors are mapped to HTTP statuses in `service.http.statuses`."""


def exit_of(error: BookwormError) -> Exit:
    from books.errors import EncodingUnknown
    from retrieval.errors import RetrieverUnknown, SearchInvalid
    from service.errors import GateInvalid
    from service.http.statuses import status_of

    if isinstance(error, (EncodingUnknown, GateInvalid, RetrieverUnknown, SearchInvalid)):
        return Exit.USAGE
    if isinstance(error, CharacterAmbiguous):
        return Exit.AMBIGUOUS
    return STATUSES.get(status_of(error), Exit.ERROR)


def candidates_of(error: BookwormError) -> list[str]:
    return [str(c) for c in getattr(error, "candidates", ())]


def problem(error: BookwormError) -> dict[str, Any]:
    """The members of an HTTP problem document that apply without HTTP, in full for who runs the command."""
    told = error.wording(candid=True)
    body: dict[str, Any] = {"code": error.code, "detail": told.detail, "remedy": told.remedy}
    if candidates := candidates_of(error):
        body["candidates"] = candidates
    return body
