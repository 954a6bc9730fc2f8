"""Finds servers of language models that run on this machine, on the ports that they use by default.

Only the loopback address is asked, so that nothing leaves the machine.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import httpx2
from openai import OpenAIError

from books.errors import BookwormError
from generation.models.openai.address import read_address
from generation.models.openai.connection import ConnectionFactory
from generation.models.openai.server import Server

USUAL_PORTS: Final[Mapping[str, int]] = {"ollama": 11434, "lmstudio": 1234, "llama.cpp": 8080, "vllm": 8001}
"""The default ports. vLLM's own is 8000, which is Bookworm's too; 8001 is what our documents suggest."""
_CONNECT, _PATIENCE = 0.3, 2.0
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


def find_models(ports: Mapping[str, int] = USUAL_PORTS) -> list[LocalModel]:
    """Return the models of all local servers that answer. Takes milliseconds if there is none."""
    return [model for server, port in ports.items() if _listens(port) for model in _models(server, port)]


def named(name: str, models: Iterable[LocalModel]) -> LocalModel | None:
    """Return the model with this name. The server's name, and Ollama's `:latest`, may be left out."""
    for model in models:
        forms = (model.name, model.model)
        if name in (*forms, *(form.removesuffix(":latest") for form in forms)):
            return model
    return None


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_CONNECT):
            return True
    except OSError:
        return False


def _models(server: str, port: int) -> Iterator[LocalModel]:
    url = f"http://127.0.0.1:{port}/v1"
    asked = Server(ConnectionFactory(read_address(url, key=None), timeout=_PATIENCE), timeout=_PATIENCE)
    try:
        listed = asked.models()
    except BookwormError:
        return
    for each in listed:
        if any(part in each.id.casefold() for part in _NOT_WRITERS):
            continue
        try:
            context = asked.context(each.id)
        except (OpenAIError, httpx2.HTTPError, OSError):
            context = None
        yield LocalModel(server, url, each.id, None if context is None else context.tokens)
