"""The data of a training: a line of JSON for each answer that a person has written or approved.

A line has `book`, `character` (a list for a joint description), `task` and `reference`. It may have `split`
and `upto`. Errors are reported with their line numbers, several at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from evaluation.datasets.json_lines import complaint, read_lines, text_of
from generation.training.errors import TrainingDataInvalid
from generation.training.types import DataSplit, TrainingSample
from generation.types import Task

NEEDED = ("book", "character", "task", "reference")
ALLOWED = (*NEEDED, "split", "upto")
Word = TypeVar("Word", bound=StrEnum)


def read(path: Path) -> tuple[TrainingSample, ...]:
    try:
        samples, wrong = read_lines(path, _sample)
    except UnicodeDecodeError as error:
        raise TrainingDataInvalid(f"{path} is not in UTF-8: {error}.") from error
    refuse(wrong, of=str(path))
    if not samples:
        raise TrainingDataInvalid(f"{path} contains no samples.")
    return tuple(samples)


def refuse(wrong: Sequence[str], *, of: str) -> None:
    """Raise an error about these lines, if there are any."""
    if wrong:
        raise TrainingDataInvalid(complaint(wrong, of=of))


def _sample(told: Mapping[str, Any], line: int) -> TrainingSample:
    if lacking := [f"`{name}`" for name in NEEDED if name not in told]:
        raise ValueError(f"{' and '.join(lacking)} missing")
    if unknown := [f"`{name}`" for name in told if name not in ALLOWED]:
        raise ValueError(f"{' and '.join(unknown)} unknown; there are {', '.join(ALLOWED)}")
    task = _word(told, "task", Task)
    split = None if told.get("split") is None else _word(told, "split", DataSplit)
    upto = None if told.get("upto") is None else str(told["upto"])
    characters = tuple(_characters(told, task))
    return TrainingSample(
        line, text_of(told, "book"), characters, task, text_of(told, "reference"), split, upto
    )


def _word(told: Mapping[str, Any], name: str, words: type[Word]) -> Word:
    try:
        return words(told[name])
    except ValueError:
        raise ValueError(f"`{name}` is {told[name]!r}; it must be {' or '.join(words)}") from None


def _characters(told: Mapping[str, Any], task: Task) -> Iterator[str]:
    value = told["character"]
    if isinstance(value, list) != (task is Task.JOINT):
        raise ValueError("`character` must be a list for the task joint, and one name for every other")
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError("`character` must be a name or an id that is not empty")
    yield from (name.strip() for name in names)
