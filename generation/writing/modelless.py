"""The base class of writers without a language model. They have no prompts and no token limit."""

from __future__ import annotations

from abc import ABC, abstractmethod

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

    def plan(self, prompt: Prompt, limits: AnswerLimits) -> Plan:  # noqa: ARG002 - the protocol
        return Plan()

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        draft = self.draft(prompt, limits)
        tell(audience, draft)
        return draft


def tell(audience: Audience | None, draft: Draft) -> None:
    """Stream a draft, one sentence at a time."""
    if audience is None:
        return
    for sentence in draft.sentences:
        if audience.gone():
            raise WritingCancelled
        audience.hear(f"{sentence.text} ")
