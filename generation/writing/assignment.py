"""One answer to write: what is asked, from which model, with which templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from coref.types import Character
from generation.models.protocols import LanguageModel
from generation.models.types import CompletionRequest, Message
from generation.story.cast import cast_of
from generation.types import STORIES, AnswerLimits, Prompt, Strategy, Task
from generation.writing.message_rendering import MessageSheet
from generation.writing.prompt_fitting import FittedPrompt, PromptFitter, left_out
from generation.writing.templating import Templates

SMALL_CONTEXT = 2048
"""Tokens of the context of a model that follows only short instructions. They also leave it more room."""
Show = Callable[[str, int, Sequence[Character] | None], FittedPrompt]
"""Builds the messages for a task, some people (None: all) and an answer of this length."""
_OTHER_SEED = 1_000_003
"""Far from the seeds that people try one after the other."""
_LIVELY = 0.4
"""Temperature of a second attempt. Without one, another seed changes nothing."""


@dataclass(frozen=True)
class Assignment:
    prompt: Prompt
    limits: AnswerLimits
    model: LanguageModel
    templates: Templates

    @cached_property
    def simple(self) -> bool:
        """Whether a summary is asked for in few words, and merged without what comes before."""
        small = self.templates.always_simple or self.model.context <= SMALL_CONTEXT
        return self.prompt.task in STORIES and small

    @cached_property
    def sheet(self) -> MessageSheet:
        templates = self.templates.simply() if self.simple else self.templates
        return MessageSheet(self.prompt, templates.said_in(self.prompt.language))

    @cached_property
    def fitter(self) -> PromptFitter:
        return PromptFitter(self.model, self.sheet)

    def request(
        self,
        messages: tuple[Message, ...],
        answer: int,
        *,
        again: bool = False,
        task: Task | None = None,
        candidate: int = 0,
    ) -> CompletionRequest:
        """`candidate` counts the texts of which the best is taken, from 0."""
        limits, other = self.limits, candidate + (self.limits.candidates if again else 0)
        return CompletionRequest(
            messages=messages,
            max_tokens=answer,
            task=task or self.prompt.task,
            temperature=(limits.temperature or _LIVELY) if other else limits.temperature,
            seed=limits.seed + other * _OTHER_SEED,
        )

    def show(self, task: str, answer: int, people: Sequence[Character] | None) -> FittedPrompt:
        """Return the material that the strategy needs, as much as fits, followed by the task.

        Of the passages it takes those that mention some of `people`, or all if `people` is None or none
        mentions them.
        """
        sheet, strategy = self.sheet, self.prompt.strategy
        if strategy is Strategy.NO_CONTEXT:
            return FittedPrompt(self.fitter.check(sheet.messages(sheet.nothing(), task), answer), ())
        if strategy is Strategy.SUMMARY:
            return FittedPrompt(self.fitter.check(sheet.messages(sheet.summary(), task), answer), ())
        wanted = self.numbers if people is None else self.numbers_about(people) or self.numbers
        return self.fitter.fit(
            lambda kept: sheet.messages(sheet.passages(kept), task, shown=kept), wanted, answer
        )

    @property
    def numbers(self) -> range:
        return range(1, len(self.prompt.passages) + 1)

    def numbers_about(self, people: Sequence[Character]) -> list[int]:
        """Return the numbers of the passages from paragraphs that mention one of these people."""
        book = self.prompt.context.book
        cast = cast_of(book, self.prompt.context.annotations)
        starts = {book.paragraphs[at].span.start for c in people for at in cast.paragraphs_of(c.id)}
        return [n for n in self.numbers if self._paragraph(n) in starts]

    def _paragraph(self, number: int) -> int:
        paragraph = self.prompt.context.book.paragraph_at(self.prompt.passages[number - 1].span.start)
        return paragraph.span.start if paragraph else -1

    def notes(self, fitted: FittedPrompt) -> tuple[str, ...]:
        if self.prompt.strategy is Strategy.NO_CONTEXT:
            return ("Written without the book: what the model knows by heart, as far as it goes.",)
        return left_out(self.prompt, fitted)
