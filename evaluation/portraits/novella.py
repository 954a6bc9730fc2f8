"""The references of the project's own novella, from its gold; `python -m` with this module writes them.

Each of its main characters has two descriptions and an analysis, under the name in the gold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from evaluation import novella
from generation.types import Task

TITLE = "Low Water at Wickersea"
FILE = "novella.jsonl"


def lines() -> Iterator[dict[str, object]]:
    gold = novella.gold()
    names = {character.id: character.name for character in gold.characters}
    for reference in gold.references:
        texts = [(Task.DESCRIPTION, text) for text in reference.descriptions]
        for number, (task, text) in enumerate([*texts, (Task.ANALYSIS, reference.analysis)], start=1):
            yield {
                "id": "novella",
                "book": TITLE,
                "author": None,
                "character": names[reference.character],
                task.value: text,
                "source": f"Bookworm, gold of the novella, {number}",
            }


def content() -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines())


def main() -> None:
    (Path(str(files(__package__) / "references")) / FILE).write_text(content(), "utf-8")


if __name__ == "__main__":
    main()
