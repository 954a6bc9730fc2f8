"""Read BookWorm's own export: the lines of JSON that its scraping scripts write on their user's machine.

They have `id`, `book`, `author`, `character`, `source`, maybe `url`, and the text under `description` or
`analysis`, which determines the task. Those made for training also have `input`: the book, or what was found
in it. Other data may have `book_id`, `title`, and `text` with `task`. The texts belong to the study guides
they are from, so none is distributed with this project: users read in their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.datasets.json_lines import complaint, read_lines, text_of
from evaluation.datasets.types import DataInvalid, DatasetEntry
from generation.types import Task

TASKS = (Task.DESCRIPTION, Task.ANALYSIS)
LEAST_WORDS = {Task.DESCRIPTION: 30, Task.ANALYSIS: 200}
"""Minimum words of a text; shorter ones are mostly about minor characters (BookWorm, section 3.1)."""
_SAME = {"book_id": "id", "title": "book"}
"""Other names of a field."""
_NEEDED = ("id", "book", "author", "character", "source")
_KNOWN = {*_NEEDED, *_SAME, *TASKS, "text", "task", "url", "input"}
_NOBODY = {"", "n/a", "unknown", "anonymous"}


@dataclass(frozen=True, slots=True)
class BookWormExport:
    entries: tuple[DatasetEntry, ...]
    repeats: int
    """Duplicate lines, which repeated scraping adds."""


def read(path: Path) -> BookWormExport:
    """Read everything, or raise `DataInvalid` with the invalid lines."""
    try:
        entries, wrong = read_lines(path, entry_of)
    except UnicodeDecodeError as error:
        raise DataInvalid(f"{path} is not in UTF-8: {error}.") from error
    if wrong:
        raise DataInvalid(complaint(wrong, of=str(path)))
    if not entries:
        raise DataInvalid(f"{path} holds no texts.")
    return distinct(entries)


def distinct(entries: Sequence[DatasetEntry]) -> BookWormExport:
    first = {(e.work, e.character, e.task, e.text, e.source): e for e in reversed(entries)}
    kept = tuple(sorted(first.values(), key=lambda e: e.line))
    return BookWormExport(kept, len(entries) - len(kept))


def entry_of(raw: Mapping[str, Any], line: int) -> DatasetEntry:
    """Return the entry of a line; raises ValueError with the reason."""
    if unknown := [f"`{name}`" for name in raw if name not in _KNOWN]:
        raise ValueError(f"{' and '.join(unknown)} unknown; there are {', '.join(sorted(_KNOWN))}")
    if twice := [f"`{a}` and `{b}`" for a, b in _SAME.items() if a in raw and b in raw]:
        raise ValueError(f"{twice[0]} mean the same: give only one")
    fields = {_SAME.get(name, name): value for name, value in raw.items()}
    if lacking := [f"`{name}`" for name in _NEEDED if name not in fields]:
        raise ValueError(f"{' and '.join(lacking)} missing")
    task, text = _task(fields)
    return DatasetEntry(
        line,
        _number(fields["id"]),
        text_of(fields, "book"),
        _author(fields["author"]),
        text_of(fields, "character"),
        task,
        text_of(fields, text),
        text_of(fields, "source"),
    )


def long_enough(
    entries: Iterable[DatasetEntry], least: Mapping[Task, int] = LEAST_WORDS
) -> tuple[list[DatasetEntry], list[DatasetEntry]]:
    """Split the entries into those whose texts have at least this many words, and the rest.

    Words are separated by spaces. BookWorm's script counts NLTK's tokens, including punctuation, so it keeps
    a few texts that are a little shorter.
    """
    kept: list[DatasetEntry] = []
    dropped: list[DatasetEntry] = []
    for entry in entries:
        enough = len(entry.text.split()) >= least.get(entry.task, 0)
        (kept if enough else dropped).append(entry)
    return kept, dropped


def of_task(entries: Sequence[DatasetEntry], task: Task) -> list[DatasetEntry]:
    return [entry for entry in entries if entry.task is task]


def _task(fields: Mapping[str, Any]) -> tuple[Task, str]:
    """Return the task of a text, and the field that holds it."""
    named = [name for name in (*TASKS, "text") if name in fields]
    if len(named) != 1:
        there = " and ".join(f"`{name}`" for name in named) or "none"
        raise ValueError(f"one of `description`, `analysis` and `text` is required, and there is {there}")
    if named[0] != "text":
        if fields.get("task", named[0]) != named[0]:
            raise ValueError(f"`task` is {fields['task']!r}, and the text is under `{named[0]}`")
        return Task(named[0]), named[0]
    if fields.get("task") not in TASKS:
        raise ValueError(f"`task` is {fields.get('task')!r}; beside `text` it must be {' or '.join(TASKS)}")
    return Task(fields["task"]), "text"


def _number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        raise ValueError("`id` must be a number or a text, and not empty")
    return str(value).strip()


def _author(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("`author` must be a text, or null if unknown")
    name = (value or "").strip()
    return None if name.casefold() in _NOBODY else name
