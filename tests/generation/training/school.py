"""Three short answers about the people of the harbour, made into lessons for a tiny model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from books.types import Book
from coref.types import Annotations
from generation.contexts import make_context
from generation.training.base_model import find
from generation.training.course import Course
from generation.training.tokenized_samples import ChatCoder, PromptOf, lesson_of
from generation.training.types import (
    DataSplit,
    PlacedSample,
    Precision,
    Recipe,
    TrainingLesson,
    TrainingSample,
)
from generation.types import Prompt, Task
from generation.writing.prompts import make_prompt
from generation.writing.templating import Templates
from tests.generation.conftest import HARBOUR, PEOPLE
from tests.generation.novel import passages, story

REFERENCES = {
    "bess": "Bess Farrow is the new clerk. She becomes the senior clerk.",
    "tom": "Tom Farrow is the brother of Bess. He marries Lydia Sand.",
    "crane": "Captain Crane loses the ship, and Bess saves him.",
}
SHORT = {
    "system": "Answer briefly.",
    "passages": "<book>\n$passages\n</book>",
    "description": "Who is $name? In $words words.",
}
TOKENS = 400


def short_templates(folder: Path) -> Templates:
    """A tiny model has no room for long instructions."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in SHORT.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return Templates.load(folder)


def asker(book: Book, annotations: Annotations, *, most: int = 1) -> PromptOf:
    """Show the first passages, if there is room."""

    def make(placed: PlacedSample, tokens: int) -> Prompt:
        return make_prompt(
            make_context(book, annotations=annotations, people=placed.sample.characters),
            task=placed.sample.task,
            passages=passages(book)[:most] if tokens else (),
        )

    return make


def placed_of(character: str, split: DataSplit = DataSplit.TRAIN, *, line: int = 1) -> PlacedSample:
    sample = TrainingSample(line, "b1", (character,), Task.DESCRIPTION, REFERENCES[character], split)
    return PlacedSample(sample, f"The Harbour, {split}", f"text for {split}", split)


def lessons(base: Path, folder: Path) -> list[TrainingLesson]:
    """Return lessons: all three are learnt, and one of them also chooses the epoch."""
    tokenizer = find(str(base)).tokenizer()
    templates = short_templates(folder / "templates")
    placed = [placed_of(who, line=line) for line, who in enumerate(REFERENCES, start=1)]
    return [
        lesson_of(
            each,
            coder=ChatCoder(tokenizer),
            templates=templates,
            prompt_of=asker(*story(HARBOUR, **PEOPLE)),
            tokens=TOKENS,
            budget=200,
        )
        for each in (*placed, placed_of("tom", DataSplit.VALIDATION, line=4))
    ]


def course(base: Path, folder: Path, made: Sequence[TrainingLesson], recipe: Recipe, **more: Any) -> Course:
    return Course(find(str(base)), recipe, made, "cpu", folder, {"retriever": "the first"}, **more)


def by_heart(**changes: Any) -> Recipe:
    """Return a recipe that learns three answers in seconds."""
    usual: dict[str, Any] = {
        "rate": 1e-2,
        "batch": 3,
        "accumulation": 1,
        "epochs": 30,
        "tokens": TOKENS,
        "precision": Precision.FP32,
    }
    return Recipe(**(usual | changes))
