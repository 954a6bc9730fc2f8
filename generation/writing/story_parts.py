"""What the ways to summarise a book by a language model share: its parts, the texts on them, the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from generation.errors import DraftRejected
from generation.models.answer_tidying import patterns
from generation.models.types import Message
from generation.types import Draft, Plan
from generation.writing.answer_parsing import numbers_in, parse
from generation.writing.answer_sizes import answer_tokens
from generation.writing.assignment import Assignment
from generation.writing.attempts import Asking, TextAsk, accepted, checked, twice
from generation.writing.citations import attach
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Steps, Work
from generation.writing.templating import TemplatePiece

PART_WORDS: Final = 150
"""Length of the text on one part. It does not depend on what is asked, so that it can be kept."""


def counted_parts(number: int) -> str:
    return "1 part" if number == 1 else f"{number} parts"


class StoryParts(ABC):
    def __init__(self, assignment: Assignment) -> None:
        self.to = assignment
        self.words = assignment.limits.words
        self.notes: list[str] = []

    def write(self) -> Work:
        return (yield from (self.finish(self._whole) if self._fits_at_once() else self.written_in_parts()))

    def plan(self) -> Plan:
        if self._fits_at_once():
            return self.planned(self._whole.messages, self.words)
        return self.planned_in_parts()

    @abstractmethod
    def written_in_parts(self) -> Work: ...

    @abstractmethod
    def planned_in_parts(self) -> Plan: ...

    @cached_property
    def _whole(self) -> FittedPrompt:
        sheet, numbers = self.to.sheet, self.to.numbers
        return FittedPrompt(sheet.messages(sheet.passages(numbers), sheet.task(self.words)), tuple(numbers))

    def _fits_at_once(self) -> bool:
        whole, most = self._whole.messages, self.to.limits.chunk
        return self.to.fitter.fits(whole, answer_tokens(self.words)) and (
            most is None or self.to.model.count_prompt(whole) <= most
        )

    def parts(self, words: int = PART_WORDS, *, spare: int = 0) -> list[FittedPrompt]:
        """Return the parts, each with the task to tell what happens in it, and with room to spare."""
        sheet, task = self.to.sheet, self.task(TemplatePiece.CHUNK, words)
        return self.to.fitter.chunks(
            lambda numbers: sheet.messages(sheet.passages(numbers), task, part=numbers),
            self.to.numbers,
            answer_tokens(words),
            most=self.to.limits.chunk,
            spare=spare,
        )

    def task(self, piece: TemplatePiece, words: int) -> str:
        return self.to.sheet.fill(piece, words=str(words))

    def ask(self, shown: FittedPrompt, words: int, *, exact: bool = True) -> TextAsk:
        check = checked(self.to, shown, words=words if exact else None)
        return TextAsk(shown, answer_tokens(words), words, self.to.prompt.task, check, exact)

    def texts(
        self,
        shown: Sequence[FittedPrompt],
        words: int,
        *,
        exact: bool = True,
        step: tuple[int, int] | None = None,
    ) -> Asking:
        """Return one text for each, in the same order, some of which may not be fit.

        `exact`: whether one that is far too long or short is asked for again.
        """
        asks = [self.ask(each, words, exact=exact) for each in shown]
        return (yield from twice(self.to, asks, heard=False, step=step))

    def finish(self, shown: FittedPrompt) -> Work:
        """Write the last text, which the audience hears, and cite it."""
        (written,) = yield from twice(self.to, [self.ask(shown, self.words)])
        text = accepted(written).text
        self.notes += written.notes
        if speaks_of_itself(text):
            text = yield from self.cleaned(text)
        return self.draft(text)

    def cleaned(self, text: str) -> Steps[str]:
        """Return the text without talk of parts and passages, if the model can write it so."""
        sheet = self.to.sheet
        shown = FittedPrompt(
            sheet.messages(sheet.before(text), self.task(TemplatePiece.CLEAN, self.words)), numbers_in(text)
        )
        if not self.to.fitter.fits(shown.messages, answer_tokens(self.words)):
            return text
        reason = "Written again: the text spoke of its own parts."
        (written,) = yield from twice(self.to, [self.ask(shown, self.words)], again=reason)
        if written.fault is not None or len(written.text) < len(text) / 2:
            return text
        self.notes.append(reason)
        return written.text

    def draft(self, text: str) -> Draft:
        said = parse(text)
        sentences = attach([replace(one, heading=None) for one in said], self.to.prompt)
        return Draft(sentences, notes=tuple(self.notes))

    def left_out(self, all_: int, kept: int) -> None:
        """Note parts whose texts were not fit. Raise DraftRejected if none was."""
        if not kept:
            raise DraftRejected(f"None of the texts on the story is fit ({counted_parts(all_)}).")
        if kept < all_:
            self.notes.append(f"Left out {all_ - kept} of {all_} parts: the texts on them were not fit.")

    def planned(self, messages: Sequence[Message], words: int) -> Plan:
        """Return the cost of one call."""
        return Plan(1, self.to.model.count_prompt(messages), answer_tokens(words))


def speaks_of_itself(text: str) -> bool:
    return patterns("artefacts").search(text) is not None
