"""Describe a whole book in stretches and merge their texts into one answer.

Stretches are as long as the model's context allows, and all are requested in one call. Their texts keep the
numbers of the passages, so that the merged answer still cites the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from coref.types import Character
from generation.errors import DraftRejected, PromptTooLong
from generation.models.types import Message
from generation.types import Plan, Task
from generation.writing.answer_parsing import keeping, numbers_of
from generation.writing.answer_sizes import LABEL_TOKENS, answer_tokens, stretch_words
from generation.writing.assignment import Assignment, Show
from generation.writing.attempts import TextAsk, accepted, checked, twice
from generation.writing.joint_answer import JointAnswer
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Steps, Work
from generation.writing.single_answer import SingleAnswer


def from_material(assignment: Assignment, show: Show) -> SingleAnswer | JointAnswer:
    """Return what writes the final answer from any material."""
    answer = JointAnswer if assignment.prompt.task is Task.JOINT else SingleAnswer
    return answer(assignment, show)


class HierarchicalWriter:
    """Write one answer from the stretches of a book."""

    def __init__(self, assignment: Assignment) -> None:
        self._to = assignment
        prompt, limits = assignment.prompt, assignment.limits
        self._words = stretch_words(prompt.task, limits.words, len(prompt.context.people))
        self._answer = answer_tokens(self._words)
        self._task = assignment.sheet.stretch(self._words)
        self.notes: list[str] = []

    def stretches(self) -> list[FittedPrompt]:
        """Return the stretches that mention somebody asked for. The others have nothing to say about them."""
        sheet = self._to.sheet
        every = self._to.fitter.chunks(
            lambda numbers: sheet.messages(sheet.passages(numbers), self._task),
            self._to.numbers,
            self._answer,
        )
        about = set(self._to.numbers_about(self._to.prompt.context.people))
        kept = [stretch for stretch in every if about & set(stretch.numbers)] or every
        if len(kept) < len(every):
            left = len(every) - len(kept)
            self.notes.append(
                f"Passed over {left} of {len(every)} stretches: nobody asked for is named there."
            )
        return kept

    def write(self) -> Work:
        if self._fits_at_once():
            return (yield from from_material(self._to, self._to.show).write())
        texts = yield from self._describe(self.stretches())
        steps = 1
        while not self._mergeable(texts):
            texts = yield from self._merge(texts)
            steps += 1
        self.notes.append(f"Merged in {steps} steps." if steps > 1 else "Merged in one step.")
        draft = yield from from_material(self._to, self._shower(texts)).write()
        return replace(draft, notes=(*self.notes, *draft.notes))

    def plan(self) -> Plan:
        """Return the cost with texts of their full length."""
        if self._fits_at_once():
            return from_material(self._to, self._to.show).plan()
        stretches = self.stretches()
        count = self._to.model.count_prompt
        prompt_tokens = sum(count(stretch.messages) for stretch in stretches)
        calls, parts = len(stretches), len(stretches)
        final = from_material(self._to, self._shower([])).plan()
        base = count(self._merging([]))
        each = self._answer + LABEL_TOKENS
        room = self._to.model.context - self._answer - base
        last = self._to.model.context - final.completion_tokens // final.calls
        while parts > 1 and parts * each > last - final.prompt_tokens // final.calls:
            groups = ceil(parts / max(2, room // each))
            calls += groups
            prompt_tokens += parts * each + groups * base
            parts = groups
        return Plan(
            calls + final.calls,
            prompt_tokens + final.prompt_tokens + final.calls * parts * each,
            calls * self._answer + final.completion_tokens,
        )

    def _fits_at_once(self) -> bool:
        sheet, fitter = self._to.sheet, self._to.fitter
        task, words = self._to.prompt.task, self._to.limits.words
        answer = answer_tokens(words, len(self._to.prompt.context.people) if task is Task.JOINT else 1)
        return fitter.fits(sheet.messages(sheet.passages(self._to.numbers), sheet.task(words)), answer)

    def _describe(self, stretches: Sequence[FittedPrompt]) -> Steps[list[str]]:
        """Return a text for each stretch. One that is not fit in two attempts is left out, with a note."""
        self.notes.append(f"Read in {len(stretches)} stretches.")
        asks = [self._ask(shown) for shown in stretches]
        written = yield from twice(self._to, asks, heard=False)
        fit = [(s, w) for s, w in zip(stretches, written, strict=True) if w.fault is None]
        if not fit:
            raise DraftRejected(f"No text on any of {len(stretches)} stretches is fit: {written[0].fault}.")
        if len(fit) < len(stretches):
            left = len(stretches) - len(fit)
            self.notes.append(
                f"Left out {left} of {len(stretches)} stretches: the texts on them were not fit."
            )
        return [keeping(w.text, s.numbers) for s, w in fit]

    def _merge(self, texts: Sequence[str]) -> Steps[list[str]]:
        """Merge neighbouring texts, as many together as fit."""
        groups = self._groups(texts)
        if len(groups) == len(texts):
            raise PromptTooLong("The texts on two stretches do not fit together into the model's context.")
        asks = [self._ask(FittedPrompt(self._merging(group), numbers_of(group))) for group in groups]
        written = yield from twice(self._to, asks, heard=False)
        return [keeping(accepted(w).text, a.shown.numbers) for a, w in zip(asks, written, strict=True)]

    def _groups(self, texts: Sequence[str]) -> list[list[str]]:
        groups: list[list[str]] = [[]]
        for text in texts:
            if groups[-1] and not self._to.fitter.fits(self._merging([*groups[-1], text]), self._answer):
                groups.append([])
            groups[-1].append(text)
        return groups

    def _mergeable(self, texts: Sequence[str]) -> bool:
        """Whether the answer can be written from these texts as they are."""
        try:
            from_material(self._to, self._shower(texts)).plan()
        except PromptTooLong:
            return False
        return True

    def _merging(self, texts: Sequence[str]) -> tuple[Message, ...]:
        return self._to.sheet.merging(texts, self._task, self._words)

    def _ask(self, shown: FittedPrompt) -> TextAsk:
        task = self._to.sheet.stretch_task
        return TextAsk(shown, self._answer, self._words, task, checked(self._to, shown))

    def _shower(self, texts: Sequence[str]) -> Show:
        sheet, fitter = self._to.sheet, self._to.fitter
        words, numbers = self._to.limits.words, numbers_of(texts)

        def show(task: str, answer: int, people: Sequence[Character] | None) -> FittedPrompt:  # noqa: ARG001
            return FittedPrompt(fitter.check(sheet.merging(texts, task, words), answer), numbers)

        return show
