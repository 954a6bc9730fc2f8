"""What a generator, a claim extractor and a judge promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from generation.checking.types import Case
from generation.types import AnswerLimits, Claim, Context, Draft, Plan, Prompt, Task, Usage, Verdict


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


@dataclass(frozen=True, slots=True)
class Extracted:
    claims: list[Claim]
    notes: tuple[str, ...] = ()
    """What was done instead of what was asked: read offline, because the model's answer was no list."""
    usage: Usage = field(default_factory=Usage)
    """What a language model took for it."""


class Extractor(Protocol):
    @property
    def name(self) -> str: ...

    def extract(self, draft: Draft, context: Context) -> Extracted:
        """The claims of a draft in its order, whoever wrote it."""
        ...


class Judge(Protocol):
    @property
    def name(self) -> str: ...

    def judge(self, cases: Sequence[Case]) -> list[Verdict]:
        """One verdict per case, in order."""
        ...
