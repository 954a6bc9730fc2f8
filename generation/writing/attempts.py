"""Ask a model for texts, and ask once more with another seed if a text is not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from books.types import count_words
from coref.language.word_lists import table
from coref.types import Character
from generation.errors import DraftRejected
from generation.models.answer_tidying import tidy
from generation.models.types import Completion, CompletionRequest, Finish
from generation.types import Task
from generation.writing.answer_faults import (
    FEW_WORDS,
    OF_LENGTH,
    AnswerFault,
    ExpectedAnswer,
    faults,
    first_sentences,
    whole_sentences,
)
from generation.writing.answer_parsing import unmarked
from generation.writing.assignment import Assignment
from generation.writing.marker_forms import in_brackets
from generation.writing.overlaps import tokens
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import RequestRound, Steps

_WORD = re.compile(r"[^\W\d_]{2,}")
MOST_OTHERS = 40
ENOUGH = 0.5
"""Share of the requested words that must be left of an unfinished answer."""
TRIMMED = "The answer broke off twice; its unfinished last sentence is left out."
SHORTENED = "The answer was far too long twice; its end is left out."

Check = Callable[[str, Finish], AnswerFault | None]
"""Returns the worst fault of a tidied answer."""


@dataclass(frozen=True, slots=True)
class TextAsk:
    """One requested text."""

    shown: FittedPrompt
    answer: int
    """Most tokens of the answer."""
    words: int
    task: Task
    """Selects the adapter."""
    check: Check
    exact: bool = False
    """Whether its length matters: a second attempt is told by how much the first one missed it."""
    candidate: int = 0
    """Its place among the texts of which the best is taken."""


@dataclass(frozen=True, slots=True)
class AttemptedText:
    text: str
    fault: AnswerFault | None = None
    """Why the text is not fit, if it is not."""
    notes: tuple[str, ...] = ()


Asking = Steps[list[AttemptedText]]


def once(
    assignment: Assignment,
    asks: Sequence[TextAsk],
    *,
    heard: bool = True,
    again: str | None = None,
    step: tuple[int, int] | None = None,
) -> Asking:
    """Ask for each text once, all together."""
    requests = tuple(_request(assignment, ask) for ask in asks)
    usable = tuple(partial(_usable, ask, _read) for ask in asks)
    completions = yield RequestRound(requests, usable, heard, again, step)
    return [_read(ask, c) for ask, c in zip(asks, completions, strict=True)]


def twice(
    assignment: Assignment,
    asks: Sequence[TextAsk],
    *,
    heard: bool = True,
    again: str | None = None,
    step: tuple[int, int] | None = None,
) -> Asking:
    """Ask again for the texts that are not fit. A text that is unfinished or too long again is cut."""
    written = yield from once(assignment, asks, heard=heard, again=again, step=step)
    failed = [at for at, one in enumerate(written) if one.fault is not None]
    if failed:
        reason = f"Asked again with another seed: of the first answer, {written[failed[0]].fault}."
        first = tuple(_request(assignment, asks[at]) for at in failed)
        requests = tuple(_request(assignment, asks[at], after=written[at]) for at in failed)
        # If several texts were streamed, some stay valid, and streaming the others again would show half an
        # answer.
        usable = tuple(partial(_usable, asks[at], _read_again) for at in failed)
        completions = yield RequestRound(
            requests, usable, heard and len(asks) == 1, reason if heard else None, instead=first
        )
        for at, completion in zip(failed, completions, strict=True):
            retried = _read_again(asks[at], completion)
            written[at] = AttemptedText(retried.text, retried.fault, (reason, *retried.notes))
    return written


def _request(
    assignment: Assignment, ask: TextAsk, *, after: AttemptedText | None = None
) -> CompletionRequest:
    """Return the request for a text. After an attempt of the wrong length it says the length."""
    messages = ask.shown.messages
    if after is not None and ask.exact and after.fault in OF_LENGTH:
        *before, last = messages
        said = assignment.sheet.of_length(count_words(unmarked(after.text)), ask.words)
        told = (*before, replace(last, content=f"{last.content}\n\n{said}"))
        messages = told if assignment.fitter.fits(told, ask.answer) else messages
    return assignment.request(
        messages, ask.answer, again=after is not None, task=ask.task, candidate=ask.candidate
    )


def accepted(written: AttemptedText) -> AttemptedText:
    if written.fault is not None:
        raise DraftRejected(
            f"What the model wrote is not fit to be shown, in two attempts: in the second, {written.fault}."
        )
    return written


def checked(
    assignment: Assignment,
    shown: FittedPrompt,
    *,
    headings: bool = False,
    named: bool = False,
    words: int | None = None,
) -> Check:
    """Return a check for a text. If `named`, it must name somebody it is about; `words` is its length."""
    expected = replace(expectation(assignment, shown, headings=headings, named=named), words=words)
    return lambda text, finish: next(iter(faults(text, finish, expected)), None)


def expectation(
    assignment: Assignment, shown: FittedPrompt, *, headings: bool = False, named: bool = False
) -> ExpectedAnswer:
    passages, context = assignment.prompt.passages, assignment.prompt.context
    names = names_of(context.people) if named else frozenset()
    others = names_of(context.annotations.characters[:MOST_OTHERS], every=False) if names else frozenset()
    return ExpectedAnswer(
        instructions=assignment.sheet.instructions,
        sources=tuple(passages[n - 1].text for n in shown.numbers),
        headings=headings,
        language=assignment.prompt.language,
        names=names,
        others=others - names,
        least=1 if assignment.prompt.task is Task.QUESTION else FEW_WORDS,
    )


def names_of(people: Sequence[Character], *, every: bool = True) -> frozenset[str]:
    """Return the words of people's names. If `every`, there are none if somebody has no proper name."""
    words = [_words_of(person) for person in people]
    return frozenset().union(*words) if all(words) or not every else frozenset()


def _words_of(person: Character) -> frozenset[str]:
    texts = (person.name, *(alias.text for alias in person.aliases))
    found = (word for text in texts for word in _WORD.findall(text))
    return frozenset(word for word in found if word[0].isupper() and word not in table("titles"))


def _usable(
    ask: TextAsk, read: Callable[[TextAsk, Completion], AttemptedText], completion: Completion
) -> str | None:
    written = read(ask, completion)
    return written.text if written.fault is None else None


def _read(ask: TextAsk, completion: Completion) -> AttemptedText:
    if completion.fit:
        return AttemptedText(completion.text)
    text = tidy(in_brackets(completion.text))
    fault = ask.check(text, completion.finish)
    if fault is AnswerFault.EMPTY and completion.thought:
        fault = AnswerFault.THOUGHT
    return AttemptedText(text, fault)


def _read_again(ask: TextAsk, completion: Completion) -> AttemptedText:
    """Return what can be used of an answer that has only the wrong length: whole sentences, if enough."""
    written = _read(ask, completion)
    match written.fault:
        case AnswerFault.TOO_SHORT:
            return AttemptedText(written.text)
        case AnswerFault.TOO_LONG:
            return AttemptedText(
                first_sentences(whole_sentences(written.text), ask.words), notes=(SHORTENED,)
            )
        case AnswerFault.CUT_OFF:
            rest = whole_sentences(written.text)
            if len(tokens(rest)) >= ENOUGH * ask.words:
                return AttemptedText(rest, notes=(TRIMMED,))
    return written
