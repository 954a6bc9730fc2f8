"""Summarise a book by updating: part after part, the summary so far is written anew to cover the next one.

A summary that grows too long is compressed.
"""

from __future__ import annotations

from typing import Final

from books.types import count_words
from generation.errors import DraftRejected
from generation.models.types import Message
from generation.types import Plan, Task
from generation.writing.answer_parsing import keeping, numbers_in, unmarked
from generation.writing.answer_sizes import answer_tokens
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Steps, Work
from generation.writing.story_parts import StoryParts, counted_parts, speaks_of_itself
from generation.writing.templating import TemplatePiece

_TOO_LONG: Final = 1.2
"""Number of times as long as was asked from which a summary is compressed."""


class IncrementalStory(StoryParts):
    def written_in_parts(self) -> Work:
        parts = self._steps()
        self.notes.append(f"Read in {counted_parts(len(parts))}, one after the other.")
        text, kept, recap = "", 0, self.to.prompt.task is Task.RECAP
        for n, part in enumerate(parts):
            shown = FittedPrompt(self._updating(text, part.numbers) if text else part.messages, part.numbers)
            step = (n, len(parts) + recap)
            (written,) = yield from self.texts([shown], self.words, exact=False, step=step)
            if written.fault is not None:
                continue
            kept += 1
            text = yield from self._short(keeping(written.text, (*numbers_in(text), *part.numbers)))
        self.left_out(len(parts), kept)
        if recap:
            sheet = self.to.sheet
            last = sheet.messages(sheet.parts([text]), sheet.task(self.words))
            return (yield from self.finish(FittedPrompt(last, numbers_in(text))))
        if speaks_of_itself(text):
            text = yield from self.cleaned(text)
        return self.draft(text)

    def _steps(self) -> list[FittedPrompt]:
        """Return the parts. Each has room beside it for the summary so far, and for the next."""
        return self.parts(self.words, spare=self._beside())

    def planned_in_parts(self) -> Plan:
        parts = self._steps()
        answer = answer_tokens(self.words)
        compressing = self.to.model.count_prompt(self._compressing("")) + answer
        cost = sum((self.planned(part.messages, self.words) for part in parts), Plan())
        more = len(parts) - 1
        cost += Plan(len(parts), more * self._beside() + len(parts) * compressing, len(parts) * answer)
        if self.to.prompt.task is Task.RECAP:
            sheet = self.to.sheet
            last = sheet.messages(sheet.parts([""]), sheet.task(self.words))
            cost += Plan(1, self.to.model.count_prompt(last) + answer, answer)
        return cost

    def _beside(self) -> int:
        """Return the tokens of the summary so far, and by how much its task is longer than the first."""
        sheet, count = self.to.sheet, self.to.model.count_prompt
        first = sheet.messages(sheet.passages(()), self.task(TemplatePiece.CHUNK, self.words), part=())
        return answer_tokens(self.words) + max(0, count(self._updating("", ())) - count(first))

    def _short(self, text: str) -> Steps[str]:
        if count_words(unmarked(text)) <= _TOO_LONG * self.words:
            return text
        shown = FittedPrompt(self._compressing(text), numbers_in(text))
        (written,) = yield from self.texts([shown], self.words)
        if written.fault is not None:
            raise DraftRejected(f"The summary grew too long, and a shorter one is not fit: {written.fault}.")
        return keeping(written.text, shown.numbers)

    def _updating(self, before: str, numbers: tuple[int, ...]) -> tuple[Message, ...]:
        sheet = self.to.sheet
        material = f"{sheet.before(before)}\n\n{sheet.passages(numbers)}"
        return sheet.messages(material, self.task(TemplatePiece.UPDATE, self.words), part=numbers)

    def _compressing(self, text: str) -> tuple[Message, ...]:
        sheet = self.to.sheet
        task = self.task(TemplatePiece.COMPRESS, self.words)
        return sheet.messages(sheet.before(text), task, part=numbers_in(text) or None)
