"""Fit a prompt into the model's context, beside the instructions and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generation.errors import PromptTooLong
from generation.models.protocols import LanguageModel
from generation.models.types import Message
from generation.types import Prompt, Strategy
from generation.writing.message_rendering import MessageSheet

Build = Callable[[Sequence[int]], tuple[Message, ...]]
"""Builds the messages with the passages of these numbers."""


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    messages: tuple[Message, ...]
    numbers: tuple[int, ...]
    left_out: int = 0


class PromptFitter:
    """Counts with the model's own tokenizer: each line once, and whole prompts to be certain."""

    def __init__(self, model: LanguageModel, sheet: MessageSheet) -> None:
        self._model = model
        self._sheet = sheet
        self._prompt = sheet.prompt
        self._costs: dict[int, int] = {}

    def check(self, messages: tuple[Message, ...], answer: int) -> tuple[Message, ...]:
        """Return messages that cannot be shortened, if they fit."""
        if not self.fits(messages, answer):
            raise PromptTooLong(self._full(answer, "do not fit together with the material into"))
        return messages

    def fit(self, build: Build, numbers: Sequence[int], answer: int) -> FittedPrompt:
        """Leave out the passages with the lowest score or, for a lead, from the end."""
        room = self._left(build(()), answer)
        kept = self._best(numbers, room)
        messages = build(kept)
        while kept and self._over(messages, answer) > 0:
            kept.remove(min(kept, key=self._rank))
            messages = build(kept)
        if numbers and not kept:
            raise PromptTooLong(self._full(answer, "leave no room for a passage in"))
        return FittedPrompt(messages, tuple(kept), len(numbers) - len(kept))

    def chunks(
        self, build: Build, numbers: Sequence[int], answer: int, *, most: int | None = None, spare: int = 0
    ) -> list[FittedPrompt]:
        """Split all passages into as few consecutive stretches as possible.

        `most` is the maximum of tokens of passages in each, `spare` what is to be left free in the context.
        Each is filled before the next begins, so that the first ones stay the same when a book goes on.
        """
        answer += spare
        room = self._left(build(()), answer)
        if most is not None:
            room = min(room, most)
        made: list[FittedPrompt] = []
        rest = list(numbers)
        while rest:
            taken = self._leading(rest, room)
            messages = build(rest[:taken])
            while taken > 1 and self._over(messages, answer) > 0:
                taken -= 1
                messages = build(rest[:taken])
            if self._over(messages, answer) > 0:
                raise PromptTooLong(self._full(answer, "leave no room for a passage in"))
            made.append(FittedPrompt(messages, tuple(rest[:taken])))
            del rest[:taken]
        return made

    def fits(self, messages: Sequence[Message], answer: int) -> bool:
        return self._over(messages, answer) <= 0

    def _over(self, messages: Sequence[Message], answer: int) -> int:
        return self._model.count_prompt(messages) + answer - self._model.context

    def _left(self, messages: Sequence[Message], answer: int) -> int:
        left = -self._over(messages, answer)
        if left < 0:
            raise PromptTooLong(self._full(answer, "do not fit into"))
        return left

    def _full(self, answer: int, how: str) -> str:
        context = f"the model's context of {self._model.context:,} tokens"
        return f"The instructions and an answer of up to {answer:,} tokens {how} {context}."

    def _cost(self, number: int) -> int:
        if number not in self._costs:
            self._costs[number] = self._model.count_tokens(f"\n{self._sheet.line(number)}")
        return self._costs[number]

    def _best(self, numbers: Sequence[int], room: int) -> list[int]:
        total = sum(self._cost(n) for n in numbers)
        dropped: set[int] = set()
        for worst in sorted(numbers, key=self._rank):
            if total <= room:
                break
            dropped.add(worst)
            total -= self._cost(worst)
        return [n for n in numbers if n not in dropped]

    def _leading(self, numbers: Sequence[int], room: int) -> int:
        """Return how many passages fit from the first on, but at least one, to be tried."""
        total = 0
        for at, number in enumerate(numbers):
            total += self._cost(number)
            if total > room:
                return max(1, at)
        return len(numbers)

    def _rank(self, number: int) -> tuple[float, int]:
        """Return the sort key. The lowest is left out first."""
        lead = self._prompt.strategy is Strategy.LEAD
        return 0.0 if lead else self._prompt.passages[number - 1].score, -number


def left_out(prompt: Prompt, fitted: FittedPrompt) -> tuple[str, ...]:
    """Return the note about passages that did not fit."""
    if not fitted.left_out:
        return ()
    which = "at the end" if prompt.strategy is Strategy.LEAD else "with the least score"
    passages = "passage" if fitted.left_out == 1 else "passages"
    of = f"{fitted.left_out} of {len(prompt.passages)} {passages}"
    return (f"Left out {of}, {which}: the model's context is full.",)
