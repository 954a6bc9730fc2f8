"""Summaries of scenes by a language model, true ones and false ones, as the NarrativeXL paper makes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from books.types import Book
from generation.models.prompt_files import PromptFiles
from generation.models.protocols import LanguageModel
from generation.models.types import CompletionRequest
from generation.quiz.material import happening
from generation.quiz.types import FalseHappening, Happening, StoryScene, WhyWrong
from generation.story.named_people import Names

PROMPTS = PromptFiles("generation.quiz", 1, ("system", "summary", "events", "negated"))
_ANSWER: Final = 160
"""Tokens of a summary."""
_FALSE: Final = {WhyWrong.EVENTS: "events", WhyWrong.NEGATED: "negated"}
"""The prompt of each kind of false summary."""


@dataclass(frozen=True, slots=True)
class WrittenScene:
    true: Happening
    false: tuple[FalseHappening, ...]


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


def _false(true: Happening, texts: Sequence[tuple[WhyWrong, str]]) -> Iterator[FalseHappening]:
    for why, text in texts:
        if text and text != true.text:
            yield FalseHappening(text, why, true)


def _written(model: LanguageModel, prompt: str, texts: Sequence[str]) -> list[str]:
    requests = [
        CompletionRequest(PROMPTS.messages(prompt, text=" ".join(text.split())), _ANSWER, temperature=0.0)
        for text in texts
    ]
    return [" ".join(completion.text.split()) for completion in model.complete(requests)]
