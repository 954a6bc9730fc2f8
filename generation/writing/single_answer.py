"""A text that is requested in one call: a description, an analysis, or the answer to a question."""

from __future__ import annotations

from dataclasses import replace

from generation.phrases import phrase
from generation.types import PORTRAITS, Draft, Plan, Prompt, Sentence
from generation.writing.answer_parsing import parse
from generation.writing.answer_sizes import answer_tokens
from generation.writing.assignment import Assignment, Show
from generation.writing.attempts import TextAsk, accepted, checked, twice
from generation.writing.citations import attach
from generation.writing.offline.reply import does_not_say
from generation.writing.request_rounds import Work

_AROUND = ' .。"“”'


class SingleAnswer:
    def __init__(self, assignment: Assignment, show: Show) -> None:
        self._to, self._show = assignment, show

    def plan(self) -> Plan:
        ask = self._ask()
        return Plan(1, self._to.model.count_prompt(ask.shown.messages), ask.answer)

    def write(self) -> Work:
        ask = self._ask()
        (written,) = yield from twice(self._to, [ask])
        said = parse(accepted(written).text)
        if not self._to.sheet.wants_headings:
            said = [replace(one, heading=None) for one in said]
        sentences = attach(said, self._to.prompt)
        if sentences and unsaid(sentences[0], self._to.prompt):
            sentences = tuple(does_not_say(self._to.prompt, self._to.limits.words))
        return Draft(sentences, notes=(*self._to.notes(ask.shown), *written.notes))

    def _ask(self) -> TextAsk:
        to, words = self._to, self._to.limits.words
        answer = answer_tokens(words)
        shown = self._show(to.sheet.task(words), answer, None)
        check = checked(to, shown, headings=to.sheet.wants_headings, named=to.prompt.task in PORTRAITS)
        return TextAsk(shown, answer, words, to.prompt.task, check)


def unsaid(sentence: Sentence, prompt: Prompt) -> bool:
    """Whether a model says, as it was told to, that the book does not answer."""
    told = phrase(prompt.language, "unsaid")
    return sentence.text.strip(_AROUND).casefold() == told.strip(_AROUND).casefold()
