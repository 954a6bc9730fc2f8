"""Read a folder as BookWorm's scripts leave it: JSON lines of each split in `train.jsonl` and so on.

They lie in `data/corpus/description`, and once more in `data/processed/description/full_book` with what a
model is given as `input`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evaluation.datasets import bookworm
from evaluation.datasets.bookworm import BookWormExport
from evaluation.datasets.released_splits import ReleasedSplits
from evaluation.datasets.types import DataInvalid, DatasetEntry
from generation.training.types import DataSplit
from generation.types import Task

_FILES = {"train.jsonl": DataSplit.TRAIN, "val.jsonl": DataSplit.VALIDATION, "test.jsonl": DataSplit.TEST}


def split_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.jsonl") if path.name in _FILES)


def read_split_files(folder: Path) -> tuple[BookWormExport, ReleasedSplits]:
    """Return the texts of all such files at any depth, each once, and the split of each book."""
    paths = split_files(folder)
    if not paths:
        raise DataInvalid(f"{folder} and its folders have no {' or '.join(_FILES)}.")
    read = {path: bookworm.read(path) for path in paths}
    splits: dict[tuple[Task, str], DataSplit] = {}
    for path, export in read.items():
        for entry in export.entries:
            if splits.setdefault((entry.task, entry.book_id), _FILES[path.name]) is not _FILES[path.name]:
                raise DataInvalid(f"Book {entry.book_id} ({entry.task}) is in two splits of {folder}.")
    every = bookworm.distinct(_numbered(export.entries for export in read.values()))
    return BookWormExport(every.entries, every.repeats + sum(each.repeats for each in read.values())), splits


def _numbered(files: Iterable[Iterable[DatasetEntry]]) -> list[DatasetEntry]:
    """Number the lines of several files as if they were one."""
    entries = [entry for file in files for entry in file]
    return [entry.at(line) for line, entry in enumerate(entries, start=1)]
