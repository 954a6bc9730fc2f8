"""The protocols of claim extractors and judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from generation.checking.types import Case
from generation.types import Claim, Context, Draft, Usage, Verdict


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
