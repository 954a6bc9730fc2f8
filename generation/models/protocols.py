"""The protocol of language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generation.models.types import Completion, CompletionRequest, Message


class Listener(Protocol):
    """Receives completions while they are written."""

    def hear(self, request: int, piece: str) -> None:
        """Receive a further piece of the answer to the request at this position."""
        ...

    def done(self, request: int, completion: Completion) -> None:
        """Receive the whole answer to the request at this position, as soon as it is there."""
        ...

    def gone(self) -> bool:
        """Return whether to stop. The model then raises `WritingCancelled` soon, and frees its resources."""
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
        """Return the tokens of a whole prompt, with everything that the chat template adds."""
        ...

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        """Return one completion per request, in order. Requests are batched where that is faster."""
        ...


class Notebook(Protocol):
    """What a language model has written about one book, under the hash of model and request."""

    def get(self, key: str) -> Completion | None: ...

    def put(self, key: str, completion: Completion, *, fit: bool) -> None:
        """Keep a completion. One that is not fit serves only the job that asked for it."""
        ...
