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


@dataclass(frozen=True, slots=True)
class Judged:
    verdicts: list[Verdict]
    """One for each case, in order."""
    usage: Usage = field(default_factory=Usage)
    """Cost of the language model."""
    notes: tuple[str, ...] = ()
    """Remarks, such as why another judge took its place."""
    judge: str | None = None
    """The name of that judge."""
    proven: bool = False
    """Whether a model judged that had passed its test: its doubts count against citations."""


class Judge(Protocol):
    @property
    def name(self) -> str: ...

    def judge(self, cases: Sequence[Case]) -> Judged: ...


def planned(parts: Iterable[Extractor | Judge], words: int) -> Plan:
    """Return the maximum cost of checking a text of so many words."""
    return sum((part.plan(words) for part in parts if isinstance(part, Planned)), Plan())
