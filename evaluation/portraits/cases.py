"""The questions: the references in some files, each with the book that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from evaluation import novella
from evaluation.datasets import bookworm, shelf
from evaluation.datasets.json_lines import complaint, read_lines, text_of
from evaluation.datasets.pairing import pair
from evaluation.datasets.splits import normalised
from evaluation.datasets.types import DataInvalid
from evaluation.portraits.running import ReferencedBook


@dataclass(frozen=True, slots=True)
class Cases:
    cases: tuple[ReferencedBook, ...]
    missing: tuple[str, ...]
    """Works without a book, and books that cannot be read, with the reason."""


def own_references() -> list[Path]:
    """Return the references written for this project: for its novella and for a novel."""
    folder = Path(str(files(__package__) / "references"))
    return sorted(folder.glob("*.jsonl"))


def find_cases(references: Sequence[Path], books: Path, summaries: Path | None = None) -> Cases:
    """Return the cases; the project's own novella is always among the books."""
    entries = [(path, entry) for path in references for entry in bookworm.read(path).entries]
    summaries_by_title = {} if summaries is None else read_summaries(summaries)
    shelved, unread = shelf.shelved([*shelf.files(books), novella.path()])
    pairs, unpaired = pair([entry for _, entry in entries], shelved)
    made = tuple(
        ReferencedBook(
            entry, pairs[entry.work].book.path, path.name, summaries_by_title.get(normalised(entry.title))
        )
        for path, entry in entries
        if entry.work in pairs
    )
    missing = (
        *(f"{each.title} by {each.author or 'nobody knows whom'}: {each.why}" for each in unpaired),
        *(f"{path.name} can't be read: {why}" for path, why in unread.items()),
    )
    return Cases(made, missing)


def read_summaries(path: Path) -> dict[str, str]:
    """Read lines of JSON with `title` and `summary`, by normalised title."""
    try:
        pairs, wrong = read_lines(path, _summary)
    except UnicodeDecodeError as error:
        raise DataInvalid(f"{path} is not in UTF-8: {error}.") from error
    if wrong:
        raise DataInvalid(complaint(wrong, of=str(path)))
    return dict(pairs)


def _summary(summaries_by_title: Mapping[str, Any], line: int) -> tuple[str, str]:  # noqa: ARG001 - as lines are read
    if set(summaries_by_title) != {"title", "summary"}:
        raise ValueError("it must have `title` and `summary`, and nothing else")
    return normalised(text_of(summaries_by_title, "title")), text_of(summaries_by_title, "summary")
