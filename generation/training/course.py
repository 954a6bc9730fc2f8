"""A whole training, from lessons and a base model to an adapter or a model that can be served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generation.training import saved_model, training_checkpoint
from generation.training.base_model import TrainingBase
from generation.training.errors import TrainingDataInvalid
from generation.training.sample_statistics import fingerprint, of_split
from generation.training.training_loop import SAVE_EVERY, LoopSetting, TrainingListener, fit, roomy
from generation.training.types import DataSplit, Recipe, TrainingLesson, TrainingOutcome


@dataclass(frozen=True, slots=True)
class Course:
    base: TrainingBase
    recipe: Recipe
    lessons: Sequence[TrainingLesson]
    device: str
    folder: Path
    prompts: Mapping[str, Any]
    """How the prompts were made, for the manifest."""
    data_sha256: str | None = None
    """Hash of the file of samples, for the manifest."""
    save_every: int = SAVE_EVERY

    def identity(self) -> dict[str, object]:
        """What must be the same to resume a training."""
        return {"recipe": asdict(self.recipe), "base": self.base.sha256(), "data": fingerprint(self.lessons)}


@dataclass(frozen=True, slots=True)
class Trained:
    outcome: TrainingOutcome
    folder: Path
    manifest: Mapping[str, Any]


def train(course: Course, *, told: TrainingListener) -> Trained:
    """Train, or resume a training. If it is already complete, only measure and save again."""
    examples = {
        split: [lesson.example for lesson in course.lessons if lesson.placed.split is split]
        for split in DataSplit
    }
    if not examples[DataSplit.TRAIN]:
        raise TrainingDataInvalid("There is nothing to train on: no line is in the split train.")
    identity = course.identity()
    training_checkpoint.compare(course.folder, identity)  # before anything large is loaded
    tokenizer = course.base.tokenizer()
    with roomy():
        model = course.base.model(course.recipe, course.device)
    setting = LoopSetting(course.folder, identity, _padding(tokenizer), course.save_every)
    outcome = fit(model, examples, course.recipe, setting, told=told)
    manifest = _manifest(course, outcome, identity)
    folder = saved_model.keep(model, tokenizer, course.folder, manifest, course.recipe)
    return Trained(outcome, folder, manifest)


def _padding(tokenizer: Any) -> int:
    """Return a token for padding. It is masked, so any token will do."""
    return int(tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id)


def _manifest(course: Course, outcome: TrainingOutcome, identity: Mapping[str, object]) -> dict[str, Any]:
    statistics = {split: of_split(course.lessons, split) for split in DataSplit}
    return {
        "format": saved_model.FORMAT,
        "kind": "model" if course.recipe.full else "lora",
        "base": {"name": course.base.name, "sha256": identity["base"]},
        "recipe": identity["recipe"],
        "data": {
            "sha256": identity["data"],
            "file_sha256": course.data_sha256,
            "splits": {split: asdict(found) for split, found in statistics.items() if found},
            "books": _books(course.lessons),
        },
        "prompts": dict(course.prompts),
        "metrics": saved_model.metrics(outcome),
        "serve": saved_model.serving(
            course.base.name,
            course.folder,
            course.recipe,
            tasks={x.placed.sample.task for x in course.lessons},
        ),
        "device": course.device,
        **saved_model.circumstances(course.recipe),
    }


def _books(lessons: Sequence[TrainingLesson]) -> list[dict[str, str]]:
    """Return each book once, with its split."""
    seen = {lesson.placed.text_sha256: lesson.placed for lesson in lessons}
    return [
        {"title": placed.title, "text_sha256": text, "split": placed.split} for text, placed in seen.items()
    ]
