from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from generation.models.openai.model import OpenAIModel
from generation.models.types import Completion, CompletionRequest, Message, MessageRole, OpenAISetup
from generation.types import Task
from tests.generation.models.openai import fake as fakes

KEY = "sk-a-very-secret-key"


@pytest.fixture
def fake() -> Iterator[fakes.Fake]:
    with fakes.serve() as server:
        yield server


Make = Callable[..., OpenAIModel]


@pytest.fixture
def make(fake: fakes.Fake) -> Make:
    """Return an impatient model at the fake server."""

    def made(**setup: Any) -> OpenAIModel:
        given = {"url": fake.url + "/v1", "model": "llama-3", "key": KEY, "timeout": 5.0, **setup}
        return OpenAIModel(OpenAISetup(**given), first_wait=0.02)

    return made


def ask(said: str = "Who is Bess?", *, task: Task = Task.DESCRIPTION, **more: Any) -> CompletionRequest:
    messages = (Message(MessageRole.SYSTEM, "Answer from the book."), Message(MessageRole.USER, said))
    return CompletionRequest(messages, max_tokens=64, task=task, **more)


class Ear:
    """Receives everything, and is gone after a given number of pieces."""

    def __init__(self, *, until: int | None = None) -> None:
        self.pieces: list[tuple[int, str]] = []
        self.until = until

    def hear(self, request: int, piece: str) -> None:
        self.pieces.append((request, piece))

    def done(self, request: int, completion: Completion) -> None: ...

    def gone(self) -> bool:
        return self.until is not None and len(self.pieces) >= self.until

    def text(self, request: int = 0) -> str:
        return "".join(piece for at, piece in self.pieces if at == request)
