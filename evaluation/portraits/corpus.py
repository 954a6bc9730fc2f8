"""The corpus as references; `python -m evaluation.portraits.corpus SPLIT` writes their lines to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from evaluation.corpus.loading import novels
from evaluation.corpus.types import Split
from generation.types import Task


def lines(split: str) -> Iterator[dict[str, object]]:
    """Yield a line for each description and each analysis of a person."""
    for novel in novels(split):
        for person in novel.people:
            texts = {Task.DESCRIPTION: person.description}
            if person.analysis is not None:
                texts[Task.ANALYSIS] = person.analysis.text
            for task, text in texts.items():
                yield {
                    "id": int(novel.novel.partition("_")[0]),
                    "book": novel.title,
                    "author": novel.author,
                    "character": person.name,
                    task.value: text,
                    "source": "Bookworm, corpus",
                }


def write(rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows as lines of JSON to stdout."""
    sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main(split: str) -> None:
    if split not in get_args(Split):
        raise SystemExit(f"“{split}” is none of {', '.join(get_args(Split))}.")
    write(lines(split))


if __name__ == "__main__":
    main(*sys.argv[1:])
