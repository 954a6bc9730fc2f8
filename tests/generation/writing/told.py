"""Prompts about the harbour, and an audience that records what it hears."""

from __future__ import annotations

import re

from books.types import Book
from coref.types import Annotations
from generation.contexts import make_context
from generation.models.types import CompletionRequest
from generation.types import Prompt, Task
from generation.writing.prompts import make_prompt
from tests.generation.novel import passages

Told = tuple[Book, Annotations]


def prompt(told: Told, *who: str, task: Task = Task.DESCRIPTION, shown: bool = True) -> Prompt:
    book, annotations = told
    return make_prompt(
        make_context(book, annotations=annotations, people=who),
        task=task,
        passages=passages(book) if shown else (),
    )


def shown(request: CompletionRequest) -> list[int]:
    """Return the numbers of the passages that a model is shown."""
    return [int(n) for n in re.findall(r"^\[(\d+)\] \(chapter", request.messages[-1].content, re.MULTILINE)]


class Heard:
    def __init__(self, *, patience: int | None = None) -> None:
        self.pieces: list[str] = []
        self.voided: list[tuple[str, str]] = []
        """The text streamed so far, and why it is void."""
        self.thoughts = 0
        self._patience = patience

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def hear(self, piece: str) -> None:
        self.pieces.append(piece)

    def again(self, reason: str) -> None:
        self.voided.append((self.text, reason))
        self.pieces.clear()

    def advance(self, done: int, parts: int) -> None: ...

    def think(self) -> None:
        self.thoughts += 1

    def gone(self) -> bool:
        return self._patience is not None and len(self.pieces) >= self._patience
