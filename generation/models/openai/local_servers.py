"""Finds servers of language models that run on this machine, on the ports that they use by default.

Only the loopback address is asked, so that nothing leaves the machine.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import httpx2

from books.errors import BookwormError
from generation.errors import ContextUnsupported, GeneratorUnavailable
from generation.models.openai.address import read_address

if TYPE_CHECKING:
    from generation.models.openai.server import Server

OLLAMA: Final = "ollama"
USUAL_PORTS: Final[Mapping[int, str]] = {
    11434: OLLAMA,
    1234: "lmstudio",
    8080: "llama.cpp",
    8000: "vllm",
    8001: "vllm",
}
"""The default ports. vLLM's is Bookworm's too, which lists no models; 8001 is what our documents suggest."""
ROOMY: Final = 8192
"""Tokens. A smaller context has room for few passages."""
_CONNECT, _PATIENCE, _MAKING = 0.3, 2.0, 120.0
"""Seconds."""
_NOT_WRITERS: Final = ("embed", "bge-", "minilm", "rerank", "whisper")
"""Parts of the names of models that write no text."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    server: str
    url: str
    model: str
    context: int | None

    @property
    def name(self) -> str:
        """What `bookworm models use` takes: `ollama:llama3.1:8b`."""
        return f"{self.server}:{self.model}"

    @property
    def longer_context(self) -> int | None:
        """One that it can be chosen with, if its own is small and its server can be asked for another."""
        return 2 * ROOMY if self._small and self.server == OLLAMA else None

    @property
    def remedy(self) -> str | None:
        """What to do if its context is small."""
        if not self._small:
            return None
        how = "Load it with a longer one: see docs/models.md."
        if self.longer_context:
            how = f"Run `bookworm models use {self.name} --context {self.longer_context}`."
        return f"Its context of {self.context:,} tokens has room for few passages. {how}"

    @property
    def _small(self) -> bool:
        return self.context is not None and self.context < ROOMY


def find_models(ports: Mapping[int, str] = USUAL_PORTS, *, own: int | None = None) -> list[LocalModel]:
    """Return the models of all local servers that answer. Takes milliseconds if there is none.

    `own` is the port of this process, which does not ask itself.
    """
    return list(_found(ports, own))


def first_model(ports: Mapping[int, str] = USUAL_PORTS, *, own: int | None = None) -> LocalModel | None:
    """Return a model of the first local server that has one, without asking the others."""
    return next(_found(ports, own), None)


def _found(ports: Mapping[int, str], own: int | None) -> Iterator[LocalModel]:
    for port, server in ports.items():
        if port != own and _listens(port):
            yield from _models(server, port)


def named(name: str, models: Iterable[LocalModel]) -> LocalModel | None:
    """Return the model with this name. The server's name, and Ollama's `:latest`, may be left out."""
    for model in models:
        forms = (model.name, model.model)
        if name in (*forms, *(form.removesuffix(":latest") for form in forms)):
            return model
    return None


def with_context(model: LocalModel, tokens: int) -> LocalModel:
    """Return a variant of a model of Ollama with this context. It shares the weights of the model.

    Ollama's own API makes it: a request through the API of OpenAI cannot ask for a context.
    """
    if model.server != OLLAMA:
        raise ContextUnsupported(
            f"Only Ollama can be asked for a context, and {model.name} is of another server."
        )
    base, _, tag = model.model.partition(":")
    variant = f"{base}:{tag or 'latest'}-{tokens}"
    asked = {"model": variant, "from": model.model, "parameters": {"num_ctx": tokens}, "stream": False}
    try:
        answer = httpx2.post(f"{model.url.removesuffix('/v1')}/api/create", json=asked, timeout=_MAKING)
        answer.raise_for_status()
    except httpx2.HTTPError as error:
        raise GeneratorUnavailable(
            f"Ollama did not make {variant}: {error}.",
            remedy="Update Ollama, or set `OLLAMA_CONTEXT_LENGTH` for its server.",
        ) from error
    return LocalModel(model.server, model.url, variant, tokens)


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_CONNECT):
            return True
    except OSError:
        return False


def _models(server: str, port: int) -> Iterator[LocalModel]:
    try:
        yield from models_at(server, f"http://127.0.0.1:{port}/v1")
    except BookwormError:
        return


def models_at(
    server: str, url: str, *, key: str | None = None, patience: float = _PATIENCE
) -> Iterator[LocalModel]:
    """Yield the models of a server that write. Raises an error if it does not answer.

    A server that does not tell the context of one model is not asked for those of the others.
    """
    from generation.models.openai.connection import ConnectionFactory  # the client takes a second to import
    from generation.models.openai.server import Server

    tells = True
    asked = Server(ConnectionFactory(read_address(url, key=key), timeout=patience), timeout=patience)
    for each in asked.models():
        if any(part in each.id.casefold() for part in _NOT_WRITERS):
            continue
        context = each.context
        if context is None and tells:
            context = context_of(each.id, asked)
            tells = context is not None
        yield LocalModel(server, url, each.id, context)


def context_of(model: str, asked: Server) -> int | None:
    """Return the context of a model in tokens, if its server tells."""
    from openai import OpenAIError

    try:
        told = asked.context(model)
    except (OpenAIError, httpx2.HTTPError, OSError):
        return None
    return None if told is None else told.tokens
