"""One answer to be written: what is asked, of which model, with which texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from generation.models.protocols import LanguageModel
from generation.models.types import Message, Request
from generation.types import Limits, Prompt, Strategy, Task
from generation.writing.fitting import Fitted, Fitter, left_out
from generation.writing.rendering import Sheet
from generation.writing.templating import Templates

_OTHER_SEED = 1_000_003
"""Far from the seeds that people try one after the other."""
_LIVELY = 0.4
"""Without a temperature another seed changes nothing."""


@dataclass(frozen=True)
class Assignment:
    prompt: Prompt
    limits: Limits
    model: LanguageModel
    templates: Templates

    @cached_property
    def sheet(self) -> Sheet:
        return Sheet(self.prompt, self.templates)

    @cached_property
    def fitter(self) -> Fitter:
        return Fitter(self.model, self.sheet)

    def request(
        self, messages: tuple[Message, ...], answer: int, *, again: bool = False, task: Task | None = None
    ) -> Request:
        limits = self.limits
        return Request(
            messages=messages,
            max_tokens=answer,
            task=task or self.prompt.task,
            temperature=(limits.temperature or _LIVELY) if again else limits.temperature,
            seed=limits.seed + _OTHER_SEED if again else limits.seed,
        )

    def show(self, task: str, answer: int, *, numbers: Sequence[int] | None = None) -> Fitted:
        """The material that the strategy wants, as much as fits, and behind it the task."""
        sheet, strategy = self.sheet, self.prompt.strategy
        if strategy is Strategy.NO_CONTEXT:
            return Fitted(self.fitter.check(sheet.messages(sheet.nothing(), task), answer), ())
        if strategy is Strategy.SUMMARY:
            return Fitted(self.fitter.check(sheet.messages(sheet.summary(), task), answer), ())
        wanted = self.numbers if numbers is None else numbers
        return self.fitter.fit(lambda kept: sheet.messages(sheet.passages(kept), task), wanted, answer)

    @property
    def numbers(self) -> range:
        return range(1, len(self.prompt.passages) + 1)

    def notes(self, fitted: Fitted) -> tuple[str, ...]:
        if self.prompt.strategy is Strategy.NO_CONTEXT:
            return ("Written without the book: what the model knows by heart, as far as it goes.",)
        return left_out(self.prompt, fitted)
