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


def plan(assignment: Assignment, show: Show) -> Plan:
    ask = _ask(assignment, show)
    return Plan(1, assignment.model.count_prompt(ask.shown.messages), ask.answer)


def write(assignment: Assignment, show: Show) -> Work:
    ask = _ask(assignment, show)
    (written,) = yield from twice(assignment, [ask])
    said = parse(accepted(written).text)
    if not assignment.sheet.wants_headings:
        said = [replace(one, heading=None) for one in said]
    sentences = attach(said, assignment.prompt)
    if sentences and unsaid(sentences[0], assignment.prompt):
        sentences = tuple(does_not_say(assignment.prompt, assignment.limits.words))
    return Draft(sentences, notes=(*assignment.notes(ask.shown), *written.notes))


def unsaid(sentence: Sentence, prompt: Prompt) -> bool:
    """Whether a model says, as it was told to, that the book does not answer."""
    told = phrase(prompt.language, "unsaid")
    return sentence.text.strip(_AROUND).casefold() == told.strip(_AROUND).casefold()


def _ask(assignment: Assignment, show: Show) -> TextAsk:
    words = assignment.limits.words
    answer = answer_tokens(words)
    shown = show(assignment.sheet.task(words), answer, None)
    headings = assignment.sheet.wants_headings
    check = checked(assignment, shown, headings=headings, named=assignment.prompt.task in PORTRAITS)
    return TextAsk(shown, answer, words, assignment.prompt.task, check)
