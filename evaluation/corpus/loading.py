"""Loads the corpus from its files."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from evaluation.corpus.types import CorpusNovel

T = TypeVar("T")
_NOVEL: TypeAdapter[CorpusNovel] = TypeAdapter(CorpusNovel)


def novels(split: str | None = None, corpus: Path | None = None) -> Iterator[CorpusNovel]:
    """Yield the novels of a split, or all of them, in the order of their file names."""
    return (novel for novel in each("portraits", _NOVEL, corpus) if split in (None, novel.split))


def each(folder: str, form: TypeAdapter[T], corpus: Path | None = None) -> Iterator[T]:
    """Yield what each file in one of the folders of a corpus holds, in the order of their names."""
    place = (corpus or files("evaluation.corpus")).joinpath(folder)
    for file in sorted(place.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            yield form.validate_json(file.read_text("utf-8"))


def about(novel: str, folder: str, form: TypeAdapter[T]) -> T | None:
    """Return what the file about a novel in one of the folders of the corpus holds, if there is one."""
    file = files("evaluation.corpus").joinpath(folder, f"{novel}.json")
    return form.validate_json(file.read_text("utf-8")) if file.is_file() else None
