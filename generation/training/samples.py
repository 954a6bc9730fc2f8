"""The data of a training: a line of JSON for each answer that a person has written or approved.

A line has `book`, `character` (of a joint description: a list), `task` and `reference`; it may have `split`
and `upto`. Whatever is wrong is told with the number of its line, several at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from generation.training.errors import TrainingDataInvalid
from generation.training.types import Sample, Split
from generation.types import Task

NEEDED = ("book", "character", "task", "reference")
ALLOWED = (*NEEDED, "split", "upto")
_TOLD = 8
"""Mistakes listed in one message."""

Word = TypeVar("Word", bound=StrEnum)


def read(path: Path) -> tuple[Sample, ...]:
    samples: list[Sample] = []
    wrong: list[str] = []
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise TrainingDataInvalid(f"{path} is not in UTF-8: {error}.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            samples.append(_sample(json.loads(line), number))
        except json.JSONDecodeError as error:
            wrong.append(f"line {number}: no JSON ({error})")
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    refuse(wrong, of=str(path))
    if not samples:
        raise TrainingDataInvalid(f"{path} holds no samples.")
    return tuple(samples)


def refuse(wrong: Sequence[str], *, of: str) -> None:
    """Raise what is wrong, if anything is."""
    if wrong:
        more = f"\nand {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise TrainingDataInvalid("\n".join((f"{of} can't be used.", *wrong[:_TOLD])) + more)


def _sample(told: Any, line: int) -> Sample:
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")
    if lacking := [f"`{name}`" for name in NEEDED if name not in told]:
        raise ValueError(f"{' and '.join(lacking)} missing")
    if unknown := [f"`{name}`" for name in told if name not in ALLOWED]:
        raise ValueError(f"{' and '.join(unknown)} unknown; there are {', '.join(ALLOWED)}")
    task = _word(told, "task", Task)
    split = None if told.get("split") is None else _word(told, "split", Split)
    upto = None if told.get("upto") is None else str(told["upto"])
    characters = tuple(_characters(told, task))
    return Sample(line, _text(told, "book"), characters, task, _text(told, "reference"), split, upto)


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told[name]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{name}` must be a text, and not empty")
    return value.strip()


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
        raise ValueError("`character` must be a name or an id, and not empty")
    yield from (name.strip() for name in names)
