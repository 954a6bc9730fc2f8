"""Summarise a book by merging: its parts are summarised, and neighbouring texts merged until one is left.

On every level but the first, a text is merged with the one before it in view, so that the story goes on. A
small model does not see that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from generation.errors import PromptTooLong
from generation.models.types import Message
from generation.types import Plan
from generation.writing.answer_parsing import keeping, numbers_of
from generation.writing.answer_sizes import LABEL_TOKENS, answer_tokens
from generation.writing.attempts import accepted
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Steps, Work
from generation.writing.story_parts import PART_WORDS, StoryParts, counted_parts
from generation.writing.templating import TemplatePiece

_GROWTH = 2
"""How many times as long a text may be as those of the level below it."""


class HierarchicalStory(StoryParts):
    def written_in_parts(self) -> Work:
        parts = self.parts()
        self.notes.append(f"Read in {counted_parts(len(parts))}.")
        steps = len(parts) + self._planned_merges(len(parts)).calls
        written = yield from self.texts(parts, PART_WORDS, step=(0, steps))
        fit = [(w, part) for w, part in zip(written, parts, strict=True) if w.fault is None]
        self.left_out(len(parts), len(fit))
        texts = [keeping(w.text, part.numbers) for w, part in fit]
        words, done = PART_WORDS, len(parts)
        while not self._fits(texts):
            words = self._longer(words)
            texts = yield from self._merge(texts, words, step=(done, steps))
            done += len(texts)
        return (yield from self.finish(self._last(texts)))

    def planned_in_parts(self) -> Plan:
        parts = self.parts()
        cost = sum((self.planned(part.messages, PART_WORDS) for part in parts), Plan())
        return cost + self._planned_merges(len(parts))

    def _planned_merges(self, count: int) -> Plan:
        """Return the cost of merging so many texts, until the last is written."""
        cost, words, model = Plan(), PART_WORDS, self.to.model
        last = model.count_prompt(self._last([]).messages) + answer_tokens(self.words)
        while count > 1 and last + count * self._length(words) > model.context:
            longer = self._longer(words)
            base = model.count_prompt(self._merging([], "", longer)) + self._length(longer)
            room = model.context - base - answer_tokens(longer)
            groups = ceil(count / max(2, room // self._length(words)))
            cost += Plan(groups, groups * base + count * self._length(words), groups * answer_tokens(longer))
            count, words = groups, longer
        return cost + Plan(
            1,
            model.count_prompt(self._last([]).messages) + count * self._length(words),
            answer_tokens(self.words),
        )

    def _longer(self, words: int) -> int:
        return max(PART_WORDS, min(_GROWTH * words, self.words))

    def _length(self, words: int) -> int:
        return answer_tokens(words) + LABEL_TOKENS

    def _fits(self, texts: Sequence[str]) -> bool:
        return len(texts) == 1 or self.to.fitter.fits(self._last(texts).messages, answer_tokens(self.words))

    def _last(self, texts: Sequence[str]) -> FittedPrompt:
        sheet = self.to.sheet
        return FittedPrompt(sheet.messages(sheet.parts(texts), sheet.task(self.words)), numbers_of(texts))

    def _merge(self, texts: Sequence[str], words: int, *, step: tuple[int, int]) -> Steps[list[str]]:
        """Merge neighbouring texts, as many together as fit behind the one that was merged before."""
        made: list[str] = []
        rest = list(texts)
        while rest:
            before = made[-1] if made and not self.to.simple else ""
            taken = self._leading(rest, before, words)
            if taken < 2 and len(rest) > 1:
                before = ""
                taken = self._leading(rest, before, words)
            if taken < 2 and len(rest) > 1:
                raise PromptTooLong("The texts on two parts do not fit together into the model's context.")
            group = rest[:taken]
            shown = FittedPrompt(self._merging(group, before, words), numbers_of([*group, before]))
            (written,) = yield from self.texts([shown], words, step=(step[0] + len(made), step[1]))
            made.append(keeping(accepted(written).text, shown.numbers))
            del rest[:taken]
        return made

    def _leading(self, texts: Sequence[str], before: str, words: int) -> int:
        """Return how many texts from the first on fit into one request."""
        taken = 1
        while taken < len(texts) and self.to.fitter.fits(
            self._merging(texts[: taken + 1], before, words), answer_tokens(words)
        ):
            taken += 1
        return taken

    def _merging(self, texts: Sequence[str], before: str, words: int) -> tuple[Message, ...]:
        sheet = self.to.sheet
        material = sheet.parts(texts)
        if before:
            material = f"{sheet.before(before)}\n\n{material}"
        part = numbers_of([*texts, before]) or None
        return sheet.messages(material, self.task(TemplatePiece.MERGE, words), part=part)
