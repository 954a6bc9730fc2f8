"""Read the released folder: `summaries/NAME.json.gz`, and GPT-4's `annotations/NAME.json.gz` of each.

An annotation is an object with a sentence for each key, or a list of objects with a `span`. A book that has
none, or null, has no errors.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.booookscore.types import AnnotatedSummary, AnnotatedSystem, Confusion, ConfusionKind
from evaluation.datasets.types import DataInvalid

SUMMARIES, ANNOTATIONS = "summaries", "annotations"
ENDING = ".json.gz"
SHOWN_TO_GPT4 = frozenset({"the-faraway-world.epub", "the-ferryman.epub"})
"""The two books whose summaries were the examples in GPT-4's prompt. It annotated neither of them for any
system, and the published scores are means over the other 98 books."""


def is_release(path: Path) -> bool:
    return (path / SUMMARIES).is_dir() and (path / ANNOTATIONS).is_dir()


def released_systems(folder: Path) -> Iterator[AnnotatedSystem]:
    """Read the systems that have both files. Raises `DataInvalid`."""
    for path in sorted((folder / ANNOTATIONS).glob(f"*{ENDING}")):
        name = path.name.removesuffix(ENDING)
        texts = folder / SUMMARIES / path.name
        if texts.exists():
            yield _system(name, read_object(texts), read_object(path))


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object, packed with gzip or not."""
    try:
        content = path.read_bytes()
        found = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    except (OSError, EOFError, ValueError) as error:
        raise DataInvalid(f"{path.name} cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise DataInvalid(f"{path.name} has no object with a value for each book.")
    return found


def confusion(row: Any, spans: tuple[Any, ...], *, kinds: str, where: str) -> Confusion:
    """Check one annotation: `row` has the questions, and the kinds under this name."""
    if not isinstance(row, Mapping) or not all(isinstance(span, str) for span in spans):
        raise DataInvalid(f"{where} has an annotation without a span.")
    try:
        found = tuple(dict.fromkeys(ConfusionKind(str(kind).lower()) for kind in row.get(kinds) or ()))
    except ValueError as error:
        raise DataInvalid(f"{where}: {error}.") from error
    return Confusion(spans, str(row.get("questions") or row.get("shared_questions") or ""), found)


def _system(name: str, texts: Mapping[str, Any], annotations: Mapping[str, Any]) -> AnnotatedSystem:
    if lost := sorted(set(annotations) - set(texts)):
        raise DataInvalid(f"{name} has annotations of {lost[0]}, and no summary.")
    return AnnotatedSystem(
        name,
        tuple(
            AnnotatedSummary(
                book,
                _text(text, name, book),
                None if book in SHOWN_TO_GPT4 else tuple(_of_book(annotations.get(book), name, book)),
            )
            for book, text in texts.items()
        ),
    )


def _of_book(listed: Any, name: str, book: str) -> Iterator[Confusion]:
    where = f"{name}, {book}"
    if isinstance(listed, Mapping):
        listed = [{"span": sentence, **row} for sentence, row in listed.items() if isinstance(row, Mapping)]
    elif not isinstance(listed, list | None):
        raise DataInvalid(f"{where} has neither an object nor a list of annotations.")
    for row in listed or ():
        yield confusion(row, (row.get("span"),), kinds="types", where=where)


def _text(text: Any, name: str, book: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise DataInvalid(f"{name} has an empty summary of {book}.")
    return text
