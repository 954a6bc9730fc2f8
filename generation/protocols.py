"""Protocols of generators and of an audience that follows an answer while it is written."""

from __future__ import annotations

from typing import Protocol

from generation.types import AnswerLimits, Draft, Plan, Prompt, Task


class Audience(Protocol):
    """Receives an answer while it is written."""

    def hear(self, piece: str) -> None: ...

    def again(self, reason: str) -> None:
        """Discard the text so far, because the answer is written again."""
        ...

    def think(self) -> None:
        """The model thinks, and writes nothing that is shown."""
        ...

    def advance(self, done: int, parts: int) -> None:
        """So many of the texts that lead to the answer are written, of so many."""
        ...

    def gone(self) -> bool:
        """Whether nobody waits for the answer now. The writer then stops and raises `WritingCancelled`."""
        ...


class Generator(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, with the hashes of its weights and adapters if it has any."""
        ...

    @property
    def prompts(self) -> str | None:
        """Hash of the prompt templates it uses, if it uses any."""
        ...

    def count_tokens(self, text: str) -> int: ...

    def room(self, task: Task, limits: AnswerLimits) -> int | None:
        """Return how many tokens of passages fit beside instructions and answer, or None if any do."""
        ...

    def plan(self, prompt: Prompt, limits: AnswerLimits) -> Plan:
        """Return the maximum cost of `generate` without a call."""
        ...

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        """Return the draft of an answer, which the audience, if any, receives while it is written."""
        ...
