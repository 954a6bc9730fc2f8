"""The splits that BookWorm's authors released: `description/train.tsv` and so on, with a line for each book.

The first column has the numbers of the books. With them, figures can be compared with the published ones.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluation.datasets.bookworm import TASKS
from evaluation.datasets.types import DataInvalid
from generation.training.types import DataSplit
from generation.types import Task

NUMBER = "BookId"
_FILES = {DataSplit.TRAIN: "train.tsv", DataSplit.VALIDATION: "val.tsv", DataSplit.TEST: "test.tsv"}

ReleasedSplits = Mapping[tuple[Task, str], DataSplit]
"""By task and number of the book."""


def read_released(folder: Path) -> ReleasedSplits:
    """Read the tasks that are there. Raises DataInvalid."""
    found: dict[tuple[Task, str], DataSplit] = {}
    for task in TASKS:
        for split, name in _FILES.items():
            for number in _numbers(folder / task.value / name):
                if found.setdefault((task, number), split) is not split:
                    raise DataInvalid(f"Book {number} is in two splits of {folder / task.value}.")
    if not found:
        raise DataInvalid(f"{folder} has no splits, such as description/train.tsv.")
    return found


def _numbers(path: Path) -> Iterator[str]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        if NUMBER not in (rows.fieldnames or ()):
            raise DataInvalid(f"{path} has no column {NUMBER}.")
        yield from (number for row in rows if (number := (row[NUMBER] or "").strip()))
