"""Loads the corpus from its files."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from pydantic import TypeAdapter

from evaluation.corpus.types import CorpusNovel, Split

_NOVEL: TypeAdapter[CorpusNovel] = TypeAdapter(CorpusNovel)


def novels(split: Split | None = None) -> Iterator[CorpusNovel]:
    """Yield the novels of a split, or all of them, in the order of their file names."""
    folder = files("evaluation.corpus").joinpath("portraits")
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".json"):
            novel = _NOVEL.validate_json(file.read_text("utf-8"))
            if split in (None, novel.split):
                yield novel
