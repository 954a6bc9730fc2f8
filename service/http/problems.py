"""Converts errors to RFC 9457 problem documents.

Domain errors know nothing about HTTP. All error bodies have the same structure, and a 500 contains no
internal details.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.params import Form
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from books.errors import BookwormError
from service.http import errors as edge
from service.http.parameters import query_parameters
from service.http.statuses import status_of
from service.observability import context, logs

MEDIA_TYPE: Final = "application/problem+json"
_JSON: Final = "application/json"
_FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")
CANDID: Final = "bookworm.candid"
"""Where the scope of a request keeps whether an administrator sent it."""
_RETRY_AFTER: Final = 2
"""Seconds, for temporary errors without a time of their own."""

log = logs.logger("bookworm.http")


class FieldProblem(BaseModel):
    where: str = Field(description="The invalid part, for example `query.limit` or `body.kind`.")
    problem: str = Field(description="What is wrong with it.")


class Problem(BaseModel):
    """The body of every error response (RFC 9457)."""

    type: str = Field(description="URL of a page that explains this kind of problem.")
    title: str = Field(description="The `code` in words.")
    status: int = Field(description="The status of the response.")
    detail: str = Field(description="What is wrong, in one sentence.")
    code: str = Field(description="A constant code for programs.")
    remedy: str = Field(description="How to fix it.")
    instance: str = Field(description="Id of the request, to include in a report of the problem.")
    candidates: list[str] | None = Field(
        default=None,
        description="Ids of the characters that match an ambiguous name; `book/id` if any book may be meant.",
    )
    errors: list[FieldProblem] | None = Field(default=None, description="The invalid parts of the request.")
    job: str | None = Field(default=None, description="Id of the job that the problem is about.")


def problem(error: BookwormError, *, candid: bool = False) -> Problem:
    """The body. `candid` if it is for an administrator, who reads more of what another server says."""
    if status_of(error) == 500:
        error = edge.InternalError("Something went wrong inside the service.")
    told = error.wording(candid=candid)
    context.note(code=error.code, **({"why": error.in_full.detail} if error.in_full else {}))
    return Problem(
        type=f"/docs#{error.code}",
        title=error.code.replace("_", " ").capitalize(),
        status=status_of(error),
        detail=told.detail,
        code=error.code,
        remedy=told.remedy,
        instance=f"urn:bookworm:request:{context.request_id()}",
        candidates=list(getattr(error, "candidates", ())) or None,
        errors=[FieldProblem(where=w, problem=p) for w, p in getattr(error, "errors", ())] or None,
        job=error.job,
    )


def headers_of(error: BookwormError, *, status: int) -> dict[str, str]:
    """With `Retry-After` if the same request may succeed later, not if somebody has to mend something."""
    headers = {"Cache-Control": "no-store"}
    if error.retryable or status == 429 or (status == 503 and error.job is not None):
        seconds = getattr(error, "retry_after", _RETRY_AFTER)
        headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="bookworm"'
    if status in (408, 413, 414):
        # The rest of the body is not read, so the connection cannot be used for another request.
        headers["Connection"] = "close"
    return headers


def respond(
    error: BookwormError, *, headers: Mapping[str, str] | None = None, candid: bool = False
) -> JSONResponse:
    body = problem(error, candid=candid)
    return JSONResponse(
        body.model_dump(mode="json", exclude_none=True),
        status_code=body.status,
        media_type=MEDIA_TYPE,
        headers={**headers_of(error, status=body.status), **(headers or {})},
    )


class Refused(HTTPException):
    """Wraps a domain error where only HTTP exceptions are passed on, as in the parsing of a form."""

    def __init__(self, error: BookwormError) -> None:
        super().__init__(status_code=status_of(error), detail=error.detail)
        self.error = error


def install(app: FastAPI) -> None:
    app.add_exception_handler(BookwormError, _on_domain_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, on_http_exception)


async def _on_domain_error(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, BookwormError):
        raise error
    if status_of(error) == 500:
        log.error("unmapped_error", exc_info=error)
    return respond(error, candid=request.scope.get(CANDID, False))


async def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    found: list[dict[str, Any]] = list(error.errors()) if isinstance(error, RequestValidationError) else []
    if any(e["loc"][0] == "body" for e in found) and (wrong := _wrong_media_type(request)):
        return respond(wrong)
    places = tuple(_place(e, parameters=query_parameters(request)) for e in found)
    first = f"{places[0][0]}: {places[0][1]}" if places else "it could not be parsed"
    return respond(edge.RequestInvalid(f"The request is invalid: {first}.", errors=places))


LACKING: Final = {
    r"\S": "Input should not be blank",
    r"\w": "Input should have a letter or a digit",
}
"""What a text lacks that does not fit a pattern."""


def _place(invalid: dict[str, Any], *, parameters: Container[object]) -> tuple[str, str]:
    """The invalid part, and what is wrong with it, without words of the libraries that found it."""
    if invalid["type"] == "json_invalid":
        return "body", f"not JSON: {invalid['ctx']['error']} at character {invalid['loc'][1]}"
    said = str(invalid["msg"]).removeprefix("Value error, ")
    if said.startswith("Expected UploadFile"):
        said = "Input should be a file, with a file name"
    if invalid["type"] == "extra_forbidden":
        elsewhere = len(invalid["loc"]) == 2 and invalid["loc"][1] in parameters
        said = "it belongs in the URL, as a query parameter" if elsewhere else "unknown field"
    if invalid["type"] == "string_pattern_mismatch":
        said = LACKING.get(invalid["ctx"]["pattern"], said)
    return ".".join(str(part) for part in invalid["loc"]), said


def _wrong_media_type(request: Request) -> edge.MediaTypeUnsupported | None:
    """Why no part of the body could be read, unless there is none. A form may have either type of a form."""
    headers = request.headers
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return None
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if isinstance(request.scope["route"].body_field.field_info, Form):
        taken, fits = _FORMS[0], given in _FORMS
    else:
        taken, fits = _JSON, given == _JSON or (given.startswith("application/") and given.endswith("+json"))
    if fits:
        return None
    told = given or "of no type"
    return edge.MediaTypeUnsupported(f"This operation takes {taken}, and the body is {told}.")


async def on_http_exception(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, Refused):
        return respond(error.error)
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = getattr(error, "headers", None) or {}
    if status == 405:  # a router knows only the methods of its first route at a URL
        headers = {**headers, "Allow": ", ".join(_methods_at(request))}
    return respond(_FROM_STATUS.get(status, _unknown)(), headers=headers)


def _methods_at(request: Request) -> Iterator[str]:
    for method in _METHODS:
        asked = {**request.scope, "method": "GET" if method == "HEAD" else method}
        if any(route.matches(asked)[0] is Match.FULL for route in request.app.routes):
            yield method


def _unknown() -> BookwormError:
    return edge.InternalError("Something went wrong inside the service.")


_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_FROM_STATUS: Final[Mapping[int, Callable[[], BookwormError]]] = {
    400: lambda: edge.RequestInvalid("The body could not be parsed.", errors=(("body", "not parsed"),)),
    404: lambda: edge.RouteUnknown("There is nothing at this URL."),
    405: lambda: edge.MethodNotAllowed("This URL does not support that method."),
    413: lambda: edge.BodyTooLarge("The body is too large."),
    415: lambda: edge.MediaTypeUnsupported("This operation does not support the media type of the body."),
}


def describe(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: each status with a problem body. 422 and 500 are always possible."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": _MEANING[status], "content": content}
        for status in sorted({*statuses, 422, 500})
    }


_MEANING: Final = {
    400: "The request cannot be parsed",
    401: "An API key is missing or invalid",
    403: "The key does not allow this, or the origin of the request is not allowed",
    404: "Not found in your library",
    408: "The body stopped arriving",
    409: "Conflict: ambiguous, not ready, or another operation is running",
    413: "Too large",
    415: "The format of the file or body is not supported",
    422: "The request is valid JSON or form data, but its content is not accepted",
    429: "Too many requests: see `Retry-After`",
    500: "Internal error",
    502: "A server that this one calls failed, or the answer of a language model was rejected",
    503: "Unavailable; `Retry-After` says when to try again, if that helps",
}


OF_LIBRARY: Final = describe(401, 403, 429, 503)
OF_RECORD: Final = describe(401, 403, 404, 429, 503)
OF_BOOK: Final = describe(401, 403, 404, 409, 429, 503)
OF_BODY: Final = describe(401, 403, 404, 408, 409, 413, 429, 503)
"""How most requests may be refused: for a list, for what has an id, for what a book holds, or with a body."""
