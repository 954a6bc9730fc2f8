"""Generators for tests, registered like real ones: what they share is the writer over a scripted model."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from generation.errors import DraftRejected, WritingCancelled
from generation.models.scripted_model import ScriptedModel
from generation.models.types import WriterSetup
from generation.protocols import Audience, Generator
from generation.registry import GENERATORS
from generation.types import AnswerLimits, Draft, Plan, Prompt, Task, Usage
from generation.writing.writer import PortraitWriter

REASON = "it says the same thing over and over"
SPENT = Usage(prompt_tokens=500, completion_tokens=70, calls=2, seconds=0.5)
PIECE = 0.02
"""Seconds that the slow one takes for a word: two for a hundred."""


class Double:
    """A writer over the scripted model that remembers what it was given."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._writer = PortraitWriter(ScriptedModel())
        self.given: list[Prompt] = []
        self.limits: list[AnswerLimits] = []

    @property
    def name(self) -> str:
        return f"{self._name}/1"

    @property
    def prompts(self) -> str | None:
        return self._writer.prompts

    def count_tokens(self, text: str) -> int:
        return self._writer.count_tokens(text)

    def room(self, task: Task, limits: AnswerLimits) -> int | None:
        return self._writer.room(task, limits)

    def plan(self, prompt: Prompt, limits: AnswerLimits) -> Plan:
        return self._writer.plan(prompt, limits)

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        self.given.append(prompt)
        self.limits.append(limits)
        return self._writer.generate(prompt, limits, audience=audience)


class Narrow(Double):
    """Has room for few passages."""

    def room(self, task: Task, limits: AnswerLimits) -> int | None:
        return 60


class Babbling(Double):
    """Never writes what is fit to be shown."""

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        self.given.append(prompt)
        if audience is not None:
            audience.hear("Margaret Margaret Margaret")
        rejection = DraftRejected(f"The draft is not fit to be shown: {REASON}.")
        rejection.usage = SPENT
        raise rejection


class Slow(Double):
    """Takes its time over every word, and stops when nobody listens any more."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.stopped = threading.Event()

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        self.given.append(prompt)
        for _ in range(limits.words):
            if audience is not None and audience.gone():
                self.stopped.set()
                raise WritingCancelled("Nobody waits for this answer any more.")
            if audience is not None:
                audience.hear("word ")
            time.sleep(PIECE)
        return self._writer.generate(prompt, limits)


KINDS: dict[str, type[Double]] = {
    "watched": Double,
    "narrow": Narrow,
    "babbling": Babbling,
    "slow": Slow,
}


def register() -> None:
    """For a process of its own; in a test, `monkeypatch` the registry instead."""
    for name, kind in KINDS.items():
        GENERATORS[name] = _factory(name, kind)


def _factory(name: str, kind: type[Double]) -> Callable[[WriterSetup], Generator]:
    def make(_: WriterSetup) -> Generator:
        return kind(name)

    return make
