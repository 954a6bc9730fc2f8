"""The server's address without secrets, and the secrets apart from it."""

from __future__ import annotations

import ipaddress
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from generation.errors import GeneratorUnavailable

HIDDEN = "[hidden]"
_NAME = re.compile(r"(openai/\d+:)(.+?)@https?://\S+?(?=(?:\+(?:judging|facts)/\S+)?(?:\s|$))")
"""The name of a model with its server, by itself, in a judge's or an extractor's name, or in a note."""
_OF_TASK = re.compile(r"((?:^|,)\w+=)")
"""What stands before each model where every task has its own."""
_PATH = re.compile(r"[/~.]|[A-Za-z]:[/\\]|.*\\|.*/.*/")
"""How the path of a file or folder begins. `owner/model` is none."""


@dataclass(frozen=True, slots=True)
class Address:
    base: str
    """The URL that contains `chat/completions` and `models`. It identifies the server and may be shown."""
    root: str
    """The URL of paths that are not OpenAI's: `/tokenize`, `/props`, `/api/show`."""
    authorization: str | None = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    @property
    def local(self) -> bool:
        """Whether it is this machine, which needs no proxy."""
        host = urlsplit(self.base).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    def hide(self, text: str) -> str:
        """Remove secrets from the text of a server or a library, which may repeat what it was sent."""
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text


def for_readers(text: str) -> str:
    """Return an engine's name, or a note with one, without its server's address and folders.

    What is kept is found by the whole name, so it stays whole everywhere but in what is shown.
    """
    return _NAME.sub(lambda found: found[1] + "".join(map(_without_folders, _OF_TASK.split(found[2]))), text)


def _without_folders(model: str) -> str:
    return re.split(r"[/\\]", model.rstrip("/\\"))[-1] if _PATH.match(model) else model


def read_address(url: str | None, *, key: str | None) -> Address:
    if not (url or "").strip():
        raise GeneratorUnavailable(
            "No server of language models is set.",
            remedy="Run `bookworm models`, set `BOOKWORM_OPENAI_URL`, or choose another generator.",
        )
    try:
        parts = urlsplit((url or "").strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, SplitResult("", "", "", "", "")
    if parts.scheme not in ("http", "https") or not host:
        raise GeneratorUnavailable(
            "The address of the model server is not an HTTP URL.",
            remedy="Write `BOOKWORM_OPENAI_URL` as http://host:port/v1 or https://host/v1.",
        )
    shown = f"[{host}]" if ":" in host else host
    place = f"{parts.scheme}://{shown}" + (f":{port}" if port else "")
    path = parts.path.rstrip("/") or "/v1"
    query = dict(parse_qsl(parts.query))
    key = _clean(key)
    secrets = [key, unquote(parts.password or ""), *query.values()]
    return Address(
        base=place + path,
        root=place + path.removesuffix("/v1"),
        authorization=_authorization(key, parts),
        query=query,
        secrets=tuple(sorted({s for s in secrets if s}, key=len, reverse=True)),
    )


def _clean(key: str | None) -> str:
    """Check that a key is printable ASCII, as a header requires. The library's error would show it."""
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise GeneratorUnavailable(
            "The key for the model server has characters that a key can't have.",
            remedy="Copy `BOOKWORM_OPENAI_KEY` again, without line breaks.",
        )
    return key


def _authorization(key: str, parts: SplitResult) -> str | None:
    if key:
        return f"Bearer {key}"
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        return f"Basic {b64encode(pair.encode()).decode('ascii')}"
    return None
