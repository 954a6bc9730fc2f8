"""What a failed call means for the user, and whether it is retried.

Everybody is told in plain words what is wrong. Only those who run the service are told where the server is
and what it says.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from json import dumps
from urllib.parse import urlsplit

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

from books.errors import BookwormError, Wording
from generation.errors import GeneratorUnavailable, ModelServerFailed, PromptTooLong
from generation.models.openai.address import Address
from generation.models.openai.server_dialect import REFUSING

BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 529})
OVERLOADED = frozenset({429, 503, 529})
LONGEST_WAIT = 60.0
"""Seconds: a server that asks for a longer pause is not waited for."""
EXCERPT = 200

SERVER_ADVICE = "Check that the server at `BOOKWORM_OPENAI_URL` runs and has the model, then ask again."
KEY_ADVICE = "Check `BOOKWORM_OPENAI_KEY`: the server decides who may use which model."
ACCOUNT_ADVICE = "Check the account that the key belongs to."
MODEL_ADVICE = "Set `BOOKWORM_OPENAI_MODEL` to one that the server has, or load that model there."
PATIENCE_ADVICE = "Check that the server works. If it is only slow, set a longer `BOOKWORM_OPENAI_TIMEOUT`."
TRUST_ADVICE = "Name the file with its authority's certificate in `SSL_CERT_FILE`, or correct the address."
ADDRESS_ADVICE = "Check `BOOKWORM_OPENAI_URL`: it usually ends in `/v1`."

_TOO_LONG = re.compile(
    r"context.{0,3}(length|size|window|limit)|n_ctx|maximum input length|prompt is too long"
    r"|too many (input )?tokens|input is too long|input tokens? .{0,20}exceed",
    re.I,
)
_COMPARED = re.compile(r"\d{3}\D{0,9}>=?\D{0,10}(\d{3,8})")
"""`n_keep: 6020>= n_ctx: 4096`, or `208310 tokens > 200000 maximum`."""
_LENGTH_TOLD = re.compile(
    r"(?:context.{0,3}(?:length|size|window|limit)|configured limit|tokens allowed)\D{0,40}(\d{3,8})", re.I
)
_NO_MODEL = re.compile(r"\bmodel\b.{0,120}(not found|not exist|no such|unknown)|pinned to", re.I | re.S)
_BROKE = re.compile(r"insufficient_quota|billing", re.I)


@dataclass(frozen=True, slots=True)
class ServerFault:
    error: BookwormError
    again: bool = False
    """Whether the same call may succeed soon."""
    after: float | None = None
    """Seconds to wait, if the server says so."""
    refusal: str | None = None
    """The message of a server that does not accept the request as it is."""
    context: int | None = None
    """The model's context, if the refusal contains it."""
    silence: bool = False
    """Whether the server sent nothing for too long."""
    crowded: bool = False
    """Whether the server says that it gets too many calls."""
    cost: int = 1
    """How many of the attempts it uses up: a silent server is waited for once more, not three times."""


def server_failed(plain: str, in_full: str, *, remedy: str = SERVER_ADVICE) -> ModelServerFailed:
    """Return an error that may pass. `in_full` and `remedy` are for those who run the service."""
    return ModelServerFailed(plain, in_full=Wording(in_full, remedy))


def fault_of(error: Exception, address: Address) -> ServerFault:
    """Return the fault for anything that the client or the connection below it raises."""
    match error:
        case APIStatusError():
            return _of_status(error, address)
        case APITimeoutError() | httpx2.TimeoutException():
            return _silent(error, address)
        case APIConnectionError() | httpx2.TransportError():
            return _unreachable(error, address)
        case APIError():
            return _in_stream(error, address)
        case _:
            return garbage(str(error), address)


def _silent(error: APITimeoutError | httpx2.TimeoutException, address: Address) -> ServerFault:
    if isinstance(error.__cause__ or error, httpx2.ConnectTimeout):
        return _unreachable(error, address)
    seconds = error.request.extensions.get("timeout", {}).get("read") or 0.0
    text = f"The model server at {address.base} was silent for {seconds:g} seconds."
    failed = server_failed("The model server did not answer in time.", text, remedy=PATIENCE_ADVICE)
    return ServerFault(failed, again=True, silence=True, cost=2)


def garbage(found: str, address: Address) -> ServerFault:
    excerpt = _excerpt(address.hide(found))
    return ServerFault(
        server_failed(
            "The model server sent something that is no answer.",
            f"The model server at {address.base} did not answer with a completion: {excerpt}.",
            remedy=ADDRESS_ADVICE,
        )
    )


def _unreachable(error: Exception, address: Address) -> ServerFault:
    cause = address.hide(str(error.__cause__ or error) or "no connection")
    if "CERTIFICATE_VERIFY_FAILED" in cause:
        text = f"The model server at {address.base} has no valid certificate: {_excerpt(cause)}."
        plain = "The model server has no valid certificate."
        return ServerFault(GeneratorUnavailable(text, plain=plain, remedy=TRUST_ADVICE))
    text = f"The model server at {address.base} can't be reached: {_excerpt(cause)}."
    return ServerFault(server_failed("The model server can't be reached.", text), again=True)


def _in_stream(error: APIError, address: Address) -> ServerFault:
    """Return the fault for an error that a server reports after it has begun to answer."""
    said = address.hide(f"{error.message} {_words(error.body)}")
    if _TOO_LONG.search(said):
        return _too_long(said)
    text = f"The model server at {address.base} failed while it answered: {_excerpt(said)}."
    return ServerFault(server_failed("The model server failed while it answered.", text), again=True)


def _of_status(error: APIStatusError, address: Address) -> ServerFault:
    status, said = error.status_code, address.hide(_words(error.body) or error.response.text)
    what = f"The model server at {address.base} says {status}: {_excerpt(said)}."
    if 300 <= status < 400:
        return _elsewhere(error.response, address)
    if status in (401, 403):
        plain = "The model server refused the key of this service."
        return ServerFault(GeneratorUnavailable(what, plain=plain, remedy=KEY_ADVICE))
    if status == 413 or (status in (*REFUSING, 500) and _TOO_LONG.search(said)):
        return _too_long(said)
    if status in (404, *REFUSING) and _NO_MODEL.search(said):
        plain = "The model server has no such model."
        return ServerFault(GeneratorUnavailable(what, plain=plain, remedy=MODEL_ADVICE))
    if status in (404, 405):
        plain = "There is no model server at the address that is set."
        return ServerFault(GeneratorUnavailable(what, plain=plain, remedy=ADDRESS_ADVICE))
    if status in REFUSING:
        return ServerFault(server_failed("The model server refused the request.", what), refusal=said)
    if status == 429 and _BROKE.search(said):
        plain = "The account of this service at the model server is used up."
        return ServerFault(GeneratorUnavailable(what, plain=plain, remedy=ACCOUNT_ADVICE))
    return ServerFault(
        server_failed(f"The model server {'is busy' if status in OVERLOADED else 'failed'}.", what),
        again=status in BUSY,
        after=retry_after(error.response.headers),
        crowded=status == 429,
    )


def _elsewhere(response: httpx2.Response, address: Address) -> ServerFault:
    where = urlsplit(response.headers.get("location", ""))
    place = f"{where.scheme}://{where.hostname}" if where.hostname else "another path"
    return ServerFault(
        GeneratorUnavailable(
            f"The model server at {address.base} redirects to {place}, where neither key nor book is sent.",
            plain="The model server redirects to another address, where neither key nor book is sent.",
            remedy="Set `BOOKWORM_OPENAI_URL` to the address of the server itself.",
        )
    )


def _too_long(said: str) -> ServerFault:
    told = _COMPARED.search(said) or _LENGTH_TOLD.search(said)
    plain = "The prompt is too long for the model server"
    in_full = Wording(f"{plain}: {_excerpt(said)}.", PromptTooLong.remedy)
    return ServerFault(
        PromptTooLong(f"{plain}.", in_full=in_full),
        context=int(told.group(1)) if told else None,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds, from a number or a date."""
    told = headers.get("retry-after", "")
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _words(body: object) -> str:
    """Return the message in an error's body, wherever servers put it."""
    if isinstance(body, dict):
        for name in ("error", "message", "detail"):
            if body.get(name):
                more = f" {body['code']}" if isinstance(body.get("code"), str) else ""
                return _words(body[name]) + more
        return dumps(body)
    return body if isinstance(body, str) else dumps(body) if body else ""


def _excerpt(text: str) -> str:
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "…"
