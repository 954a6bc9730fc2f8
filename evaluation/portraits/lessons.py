"""The corpus as lessons for `bookworm train lora`: `python -m evaluation.portraits.lessons FOLDER`.

FOLDER has the texts of the novels. Those of the split `dev` choose the epoch. None is of the split `test`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from evaluation.corpus.loading import novels
from evaluation.corpus.quotations import with_texts
from evaluation.corpus.types import Split
from evaluation.portraits.corpus import write
from generation.training.types import DataSplit
from generation.types import Task

PARTS: dict[Split, DataSplit] = {"train": DataSplit.TRAIN, "dev": DataSplit.VALIDATION}


def lessons(folder: Path) -> Iterator[dict[str, str]]:
    """Yield a line for the description of each person of the novels whose text the folder has."""
    for split, part in PARTS.items():
        for novel, path in with_texts(novels(split), folder):
            for person in novel.people:
                yield {
                    "book": str(path),
                    "character": person.name,
                    "task": Task.DESCRIPTION.value,
                    "reference": person.description,
                    "split": part.value,
                }


def main(folder: str) -> None:
    write(lessons(Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
