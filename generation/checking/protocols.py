"""Protocols of claim extractors and judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from generation.checking.types import Case
from generation.types import Claim, Context, Draft, Plan, Usage, Verdict


@dataclass(frozen=True, slots=True)
class Extracted:
    claims: list[Claim]
    notes: tuple[str, ...] = ()
    """Remarks, such as that the offline extractor was used because the model's answer was not a list."""
    usage: Usage = field(default_factory=Usage)
    """Cost of the language model."""


@runtime_checkable
class Planned(Protocol):
    """An extractor or judge whose work costs tokens."""

    def plan(self, words: int) -> Plan:
        """Return the maximum cost of checking a text of so many words, if the model does well."""
        ...


class Extractor(Protocol):
    @property
    def name(self) -> str: ...

    def extract(self, draft: Draft, context: Context) -> Extracted:
        """Return the claims of a draft in text order. The draft may have any author."""
        ...


class Judge(Protocol):
    @property
    def name(self) -> str: ...

    def judge(self, cases: Sequence[Case]) -> list[Verdict]:
        """Return one verdict per case, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    verdicts: list[Verdict]
    usage: Usage
    notes: tuple[str, ...] = ()
    """Remarks, such as why another judge took its place."""
    judge: str | None = None
    """The name of that judge."""
    proven: bool = False
    """Whether a model judged that had passed its test: its doubts count against citations."""


@runtime_checkable
class PaidJudge(Judge, Protocol):
    """A judge whose work costs tokens."""

    def judge_with_cost(self, cases: Sequence[Case]) -> Judged: ...


def judged(judge: Judge, cases: Sequence[Case]) -> Judged:
    if isinstance(judge, PaidJudge):
        return judge.judge_with_cost(cases)
    return Judged(judge.judge(cases), Usage())


def planned(parts: Iterable[Extractor | Judge], words: int) -> Plan:
    """Return the maximum cost of checking a text of so many words."""
    return sum((part.plan(words) for part in parts if isinstance(part, Planned)), Plan())
