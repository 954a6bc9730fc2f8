"""Summaries of scenes by a language model, true ones and false ones, as the NarrativeXL paper makes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from books.types import Book
from generation.models.prompt_files import PromptFiles
from generation.models.protocols import LanguageModel
from generation.models.types import Completion, CompletionRequest, Finish
from generation.quiz.material import BookSoFar, happening
from generation.quiz.merging import grouped, shortened
from generation.quiz.types import (
    Choice,
    CorrectionTask,
    Happening,
    QuizLevel,
    StoryScene,
    WhyWrong,
)
from generation.story.named_people import Names, terms_of_names
from generation.writing.answer_faults import whole_sentences

PROMPTS = PromptFiles("generation.quiz", 1, ("system", "summary", "merged", "events", "negated"))
_ANSWER: Final = 240
"""Tokens of a summary."""
_MERGED: Final = 10_000
"""Characters of summaries that are merged at once, as in the paper."""
_FALSE: Final = {WhyWrong.EVENTS: "events", WhyWrong.NEGATED: "negated"}
"""The prompt of each kind of false summary."""


@dataclass(frozen=True, slots=True)
class WrittenScene:
    true: Happening
    false: tuple[Choice, ...]


def write_scenes(
    model: LanguageModel, book: Book, scenes: Sequence[StoryScene], names: Names
) -> list[WrittenScene]:
    """Return the scenes of which the model has written a summary, with false ones that differ from it."""
    told = _written(model, "summary", [book.slice(scene.span) for scene in scenes])
    kept = [(scene, text) for scene, text in zip(scenes, told, strict=True) if text]
    true = [happening(text, scene.span, scene, names) for scene, text in kept]
    by_kind = {why: _written(model, prompt, [each.text for each in true]) for why, prompt in _FALSE.items()}
    return [
        WrittenScene(each, tuple(_false(each, [(why, texts[n]) for why, texts in by_kind.items()])))
        for n, each in enumerate(true)
    ]


def written_corrections(
    model: LanguageModel, reading: BookSoFar, *, level: QuizLevel, count: int, rng: Random
) -> list[CorrectionTask]:
    """Return summaries that the model has merged from what happens, and written again with other events.

    What names somebody of whom nothing has been read is left out.
    """
    groups = grouped(reading.happenings, level)
    chosen = rng.sample(groups, min(count, len(groups)))
    true = (
        _written(model, "summary", [reading.book.slice(one.scene.span) for (one,) in chosen])
        if level is QuizLevel.SCENE
        else merged(model, [[each.text for each in group] for group in chosen])
    )
    return [
        CorrectionTask(given, right, shortened(group), level, reading.end)
        for group, right, given in zip(chosen, true, _written(model, "events", true), strict=True)
        if given and right and given != right and reading.words.issuperset(terms_of_names(f"{given} {right}"))
    ]


def merged(model: LanguageModel, parts: Sequence[Sequence[str]]) -> list[str]:
    """Return one summary for each list of them: neighbours are merged until one is left."""
    while any(len(texts) > 1 for texts in parts):
        runs = [list(_runs(texts)) for texts in parts]
        longer = ["\n\n".join(run) for each in runs for run in each if len(run) > 1]
        told = iter(_written(model, "merged", longer))
        parts = [[next(told) if len(run) > 1 else run[0] for run in each] for each in runs]
    return [next(iter(texts), "") for texts in parts]


def _runs(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield neighbours that are merged at once: two at least, where there are two."""
    run: list[str] = []
    for text in texts:
        if len(run) > 1 and sum(map(len, run)) + len(text) > _MERGED:
            yield run
            run = []
        run.append(text)
    if run:
        yield run


def _false(true: Happening, texts: Sequence[tuple[WhyWrong, str]]) -> Iterator[Choice]:
    for why, text in texts:
        if text and text != true.text:
            yield Choice(text, why, true)


def _written(model: LanguageModel, prompt: str, texts: Sequence[str]) -> list[str]:
    requests = [
        CompletionRequest(PROMPTS.messages(prompt, text=_paragraphs(text)), _ANSWER, temperature=0.0)
        for text in texts
    ]
    return [" ".join(_whole(completion).split()) for completion in model.complete(requests)]


def _whole(completion: Completion) -> str:
    return whole_sentences(completion.text) if completion.finish is Finish.LENGTH else completion.text


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
