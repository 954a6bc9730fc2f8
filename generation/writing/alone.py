"""A text about one person, asked for in one go."""

from __future__ import annotations

from generation.models.types import Completion
from generation.types import Draft, Plan
from generation.writing.assignment import Assignment
from generation.writing.citing import attach
from generation.writing.fitting import Fitted
from generation.writing.parsing import parse
from generation.writing.rounds import Round, Work
from generation.writing.sizes import answer_tokens


def plan(assignment: Assignment) -> Plan:
    shown, answer = _shown(assignment)
    return Plan(1, assignment.model.count_prompt(shown.messages), answer)


def write(assignment: Assignment) -> Work:
    shown, answer = _shown(assignment)
    completions: list[Completion] = yield Round((assignment.request(shown.messages, answer),))
    sentences = attach(parse(completions[0].text), assignment.prompt)
    return Draft(sentences, assignment.model.name, notes=assignment.notes(shown))


def _shown(assignment: Assignment) -> tuple[Fitted, int]:
    words = assignment.limits.words
    answer = answer_tokens(words, len(assignment.prompt.characters))
    return assignment.show(assignment.sheet.task(words), answer), answer
