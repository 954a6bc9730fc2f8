"""What a generator, a claim extractor and a judge promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generation.types import Claim, Draft, Limits, Prompt, Verdict
from retrieval.types import Passage


class Generator(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, with the hash of its weights where it has any."""
        ...

    def count_tokens(self, text: str) -> int: ...

    def generate(self, prompts: Sequence[Prompt], limits: Limits) -> list[Draft]:
        """One draft per prompt, in order."""
        ...


class Judge(Protocol):
    @property
    def name(self) -> str: ...

    def judge(self, claims: Sequence[Claim], evidence: Sequence[Sequence[Passage]]) -> list[Verdict]:
        """One verdict per claim; `evidence[i]` are the passages found for `claims[i]`."""
        ...
