"""What a language model promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generation.models.types import Completion, CompletionRequest, Message


class Listener(Protocol):
    """Hears completions while they are written."""

    def hear(self, request: int, piece: str) -> None:
        """A further piece of the answer to the request with this position."""
        ...

    def gone(self) -> bool:
        """Whether to stop: the model then raises `WritingCancelled` soon, and frees what it holds."""
        ...


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, with the hashes of weights and adapters, or the names of the served models."""
        ...

    @property
    def context(self) -> int:
        """Tokens of prompt and answer together."""
        ...

    def count_tokens(self, text: str) -> int: ...

    def count_prompt(self, messages: Sequence[Message]) -> int:
        """Tokens of a whole prompt, with all that the chat template puts around it."""
        ...

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        """One completion per request, in order; requests are done together where that is faster."""
        ...
