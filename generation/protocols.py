"""The protocols of generators and of the audience of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generation.types import AnswerLimits, Draft, Plan, Prompt, Task


class Audience(Protocol):
    """Who hears an answer while it is written."""

    def hear(self, piece: str) -> None: ...

    def again(self, reason: str) -> None:
        """What was heard so far is void: it is written anew."""
        ...

    def gone(self) -> bool:
        """Nobody waits for the answer any more. The writer stops and raises `WritingCancelled`."""
        ...


class Generator(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, with the hashes of its weights and adapters where it has any."""
        ...

    @property
    def prompts(self) -> str | None:
        """Hash of the prompt templates it uses, if it uses any."""
        ...

    def count_tokens(self, text: str) -> int: ...

    def room(self, task: Task, limits: AnswerLimits) -> int | None:
        """How many tokens of passages fit in beside the instructions and the answer; None: any number."""
        ...

    def plan(self, prompts: Sequence[Prompt], limits: AnswerLimits) -> Plan:
        """What `generate` would cost at most, without doing it."""
        ...

    def generate(
        self, prompts: Sequence[Prompt], limits: AnswerLimits, *, audience: Audience | None = None
    ) -> list[Draft]:
        """One draft per prompt, in order. The audience, if any, hears the first one's."""
        ...
