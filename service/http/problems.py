"""RFC 9457 problems, and the one table that says what each error means in HTTP.

Domain errors know nothing of HTTP. Whatever goes wrong, the body has the same shape, and a 500 says nothing
internal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from books.errors import BookwormError
from service.http import errors as edge
from service.http.statuses import STATUS
from service.observability import context, logs

MEDIA_TYPE: Final = "application/problem+json"
_RETRY_AFTER: Final = 2
"""Seconds, for errors that may pass and don't say when."""

log = logs.logger("bookworm.http")


class FieldProblem(BaseModel):
    where: str = Field(description="The part that is wrong, such as `query.limit` or `body.kind`.")
    problem: str


class Problem(BaseModel):
    """Every error body has this shape (RFC 9457)."""

    type: str = Field(description="A page that explains this kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What is wrong, in one sentence.")
    code: str = Field(description="A word that never changes, for programs.")
    remedy: str = Field(description="What to do about it.")
    instance: str = Field(description="The id of the request: quote it when you report the problem.")
    candidates: list[str] | None = Field(default=None, description="Who may have been meant.")
    errors: list[FieldProblem] | None = Field(default=None, description="What is wrong where.")
    job: str | None = Field(default=None, description="The job that the problem is about.")


def status_of(error: BookwormError) -> int:
    """The nearest class in the table decides; an error nobody mapped is our fault, so it is a 500."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def problem(error: BookwormError) -> Problem:
    if status_of(error) == 500:
        error = edge.InternalError("Something went wrong inside the service.")
    return Problem(
        type=f"/docs#{error.code}",
        title=error.code.replace("_", " ").capitalize(),
        status=status_of(error),
        detail=error.detail,
        code=error.code,
        remedy=error.advice,
        instance=f"urn:bookworm:request:{context.request_id()}",
        candidates=list(getattr(error, "candidates", ())) or None,
        errors=[FieldProblem(where=w, problem=p) for w, p in getattr(error, "errors", ())] or None,
        job=getattr(error, "job", None) or getattr(error, "job_id", None),
    )


def headers_of(error: BookwormError, *, status: int) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if error.retryable or status in (429, 503):
        seconds = getattr(error, "retry_after", _RETRY_AFTER)
        headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="bookworm"'
    if status in (408, 413, 414):
        # The rest of the body is not read, so the connection can't serve another request.
        headers["Connection"] = "close"
    return headers


def respond(error: BookwormError, *, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = problem(error)
    context.note(code=body.code)
    return JSONResponse(
        body.model_dump(mode="json", exclude_none=True),
        status_code=body.status,
        media_type=MEDIA_TYPE,
        headers={**headers_of(error, status=body.status), **(headers or {})},
    )


class Refused(HTTPException):
    """Carries a domain error through places that let only HTTP exceptions pass: the reading of a form."""

    def __init__(self, error: BookwormError) -> None:
        super().__init__(status_code=status_of(error), detail=error.detail)
        self.error = error


def install(app: FastAPI) -> None:
    app.add_exception_handler(BookwormError, _on_domain_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)


async def _on_domain_error(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, BookwormError):
        raise error
    if status_of(error) == 500:
        log.error("unmapped_error", exc_info=error)
    return respond(error)


async def _on_invalid_request(_: Request, error: Exception) -> JSONResponse:
    found: list[dict[str, Any]] = list(error.errors()) if isinstance(error, RequestValidationError) else []
    places = tuple((".".join(str(p) for p in e["loc"]), str(e["msg"])) for e in found)
    first = f"{places[0][0]}: {places[0][1]}" if places else "the request could not be read"
    return respond(edge.RequestInvalid(f"The request does not fit: {first}.", errors=places))


async def _on_http_exception(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, Refused):
        return respond(error.error)
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = getattr(error, "headers", None) or {}
    return respond(_FROM_STATUS.get(status, _unknown)(), headers=headers)


def _unknown() -> BookwormError:
    return edge.InternalError("Something went wrong inside the service.")


_FROM_STATUS: Final[Mapping[int, Callable[[], BookwormError]]] = {
    400: lambda: edge.RequestInvalid("The body could not be read."),
    404: lambda: edge.RouteUnknown("There is nothing at this address."),
    405: lambda: edge.MethodNotAllowed("This address does not take that method."),
    413: lambda: edge.BodyTooLarge("The body is too large."),
    415: lambda: edge.MediaTypeUnsupported("The body's media type is not one this operation takes."),
}


def describe(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: each status with a problem body. 422 and 500 can happen anywhere."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": _MEANING[status], "content": content}
        for status in sorted({*statuses, 422, 500})
    }


_MEANING: Final = {
    400: "The request can't be read",
    401: "A key is needed, or this one is not valid",
    403: "The key does not allow this, or the call comes from a place that may not make it",
    404: "There is no such thing in your library",
    408: "The body stopped arriving",
    409: "Not as things stand: ambiguous, not ready, or in the way of something else",
    413: "Too large",
    415: "Not a kind of file or body that is taken",
    422: "Understood, but not right",
    429: "Too many requests: see `Retry-After`",
    500: "Our mistake",
    502: "A server that this one asks failed, or what a language model wrote is not fit to be shown",
    503: "Not now: see `Retry-After`",
}
