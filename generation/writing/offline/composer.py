"""The offline generator: certain statements in its own words, and then the book's own sentences.

It never paraphrases. What it quotes is chosen by the scores of a trained head (`retrieval.telling`).
"""

from __future__ import annotations

from time import perf_counter

from books.types import Span
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import asks_who
from generation.story.quotation import Quotation
from generation.story.quotations import first_naming, quotations
from generation.types import CHARACTERS, AnswerLanguage, AnswerLimits, Draft, Prompt, Sentence, Task, Usage
from generation.writing.modelless import Modelless
from generation.writing.offline import story
from generation.writing.offline.analysis import analysis
from generation.writing.offline.description import description
from generation.writing.offline.joint import joint
from generation.writing.offline.reply import reply, who_they_are
from generation.writing.offline.subject import TextSubject
from generation.writing.offline.typed_reply import certain
from retrieval.asking.kinds import kind_of
from retrieval.types import TellingSentence

NAME = "offline/25"


class OfflineGenerator(Modelless):
    """Quote what the book says. The same prompt gives the same draft."""

    name = NAME

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:
        start = perf_counter()
        sentences = _sentences(prompt, _room(prompt, limits.words))
        return Draft(tuple(sentences), Usage(seconds=perf_counter() - start))  # tokens are a model's


def _room(prompt: Prompt, words: int) -> int:
    """Return the length of an answer in words of the book, which may be in another language."""
    quoted = AnswerLanguage.of(prompt.context.book)
    if quoted.is_chinese is prompt.language.is_chinese:
        return words
    return words * CHARACTERS if quoted.is_chinese else words // CHARACTERS


def _sentences(prompt: Prompt, words: int) -> list[Sentence]:
    if prompt.task is Task.SUMMARY:
        return story.summary(prompt, words)
    if prompt.task is Task.RECAP:
        return story.recap(prompt, words)
    if prompt.task is Task.QUESTION:
        if prompt.events:
            return story.chapters(prompt, words)
        question, people = prompt.question or "", prompt.context.people
        if not asks_who(question, people) or certain(prompt, kind_of(question)):
            return reply(prompt, words)
        return who_they_are(prompt, words, _portrait(prompt, words))
    return _portrait(prompt, words)


def _portrait(prompt: Prompt, words: int) -> list[Sentence]:
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    said = quotations(_shown(prompt), cast)
    people = [
        TextSubject.of(
            prompt.context, person, said, cast, prompt.language, _first_naming(prompt, person.id, cast)
        )
        for person in prompt.context.people
    ]
    if prompt.task is Task.JOINT or len(people) > 1:
        return joint(people, words)
    return analysis(people[0], words) if prompt.task is Task.ANALYSIS else description(people[0], words)


def _shown(prompt: Prompt) -> list[TellingSentence]:
    """Return the sentences to quote from."""
    return [sentence for sentence in prompt.telling if _is_shown(sentence.span, prompt)]


def _first_naming(prompt: Prompt, person: str, cast: CastIndex) -> Quotation | None:
    named = first_naming(person, cast)
    return named if named is not None and _is_shown(named.citation.span, prompt) else None


def _is_shown(span: Span, prompt: Prompt) -> bool:
    """Whether a sentence may be quoted. If passages were asked for, it has to be in these."""
    return not prompt.passages or any(passage.span.covers(span) for passage in prompt.passages)
