"""The base class of writers without a language model. They have no prompts and no token limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from books.types import count_words
from generation.errors import WritingCancelled
from generation.protocols import Audience
from generation.types import AnswerLimits, Draft, Plan, Prompt, Task


class Modelless(ABC):
    prompts: str | None = None

    @abstractmethod
    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft: ...

    def count_tokens(self, text: str) -> int:
        return count_words(text)

    def room(self, task: Task, limits: AnswerLimits) -> int | None:  # noqa: ARG002 - the protocol
        return None

    def plan(self, prompts: Sequence[Prompt], limits: AnswerLimits) -> Plan:  # noqa: ARG002 - the protocol
        return Plan()

    def generate(
        self, prompts: Sequence[Prompt], limits: AnswerLimits, *, audience: Audience | None = None
    ) -> list[Draft]:
        drafts = [self.draft(prompt, limits) for prompt in prompts]
        tell(audience, drafts)
        return drafts


def tell(audience: Audience | None, drafts: Sequence[Draft]) -> None:
    """Stream the first draft, one sentence at a time."""
    if audience is None or not drafts:
        return
    for sentence in drafts[0].sentences:
        if audience.gone():
            raise WritingCancelled("The answer was cancelled: nobody is waiting for it.")
        audience.hear(f"{sentence.text} ")
