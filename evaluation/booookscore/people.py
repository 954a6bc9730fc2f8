"""What people found confusing (the paper's Section 3), and how many annotations other people confirmed.

`human/summary-NAME.json.gz` has the spans, alone or in pairs; `human/annotations-NAME.json.gz` has the
judgement of a second annotator on each annotation by a person (`human`) or by GPT-4 (`model`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.booookscore.release import ENDING, confusion, read_object
from evaluation.booookscore.types import AnnotatedSummary, AnnotatedSystem, Confusion
from evaluation.datasets.types import DataInvalid

FOLDER = "human"
_SPANS, _CHECKED = "summary-", "annotations-"
AGREES, PARTLY, DISAGREES = "Agree", "Partially agree", "Don't agree"


@dataclass(frozen=True, slots=True)
class ConfirmedAnnotations:
    """How a second annotator judged the annotations of one source: `human` or `model`."""

    source: str
    agreed: int
    partly: int
    disagreed: int
    reasons: Mapping[str, int]
    """Why an annotation was confirmed only in part, or not."""

    @property
    def annotations(self) -> int:
        return self.agreed + self.partly + self.disagreed

    @property
    def precision(self) -> float:
        """As the paper counts it: whole and partial agreement."""
        return (self.agreed + self.partly) / self.annotations

    @property
    def strict(self) -> float:
        """Whole agreement alone."""
        return self.agreed / self.annotations


def annotated_by_people(folder: Path) -> Iterator[AnnotatedSystem]:
    """Read the systems that people annotated. Raises `DataInvalid`."""
    for path in sorted((folder / FOLDER).glob(f"{_SPANS}*{ENDING}")):
        name = path.name.removeprefix(_SPANS).removesuffix(ENDING)
        books = read_object(path)
        yield AnnotatedSystem(name, tuple(_summary(book, row, name) for book, row in books.items()))


def confirmations(folder: Path) -> list[ConfirmedAnnotations]:
    """Count the judgements on the annotations of each source. Raises `DataInvalid`."""
    found: dict[str, Counter[str]] = {}
    reasons: dict[str, Counter[str]] = {}
    for path in sorted((folder / FOLDER).glob(f"{_CHECKED}*{ENDING}")):
        for book, row in read_object(path).items():
            for each in _rows(row, "annotations", f"{path.name}, {book}"):
                source, said = str(each.get("source")), str(each.get("agreement"))
                if said not in (AGREES, PARTLY, DISAGREES):
                    raise DataInvalid(f"{path.name}, {book} has the judgement “{said}”.")
                found.setdefault(source, Counter())[said] += 1
                reasons.setdefault(source, Counter()).update(each.get("reasons") or ())
    return [
        ConfirmedAnnotations(
            source, said[AGREES], said[PARTLY], said[DISAGREES], dict(sorted(reasons[source].items()))
        )
        for source, said in sorted(found.items())
    ]


def _summary(book: str, row: Any, name: str) -> AnnotatedSummary:
    where = f"{name}, {book}"
    alone, related = _rows(row, "singles", where), _rows(row, "relations", where)
    confusions: list[Confusion] = [
        *(confusion(each, (each.get("span"),), kinds="labels", where=where) for each in alone),
        *(
            confusion(each, (each.get("span_a"), each.get("span_b")), kinds="shared_labels", where=where)
            for each in related
        ),
    ]
    text = row.get("summary")
    if not isinstance(text, str) or not text.strip():
        raise DataInvalid(f"{where} has no summary.")
    return AnnotatedSummary(book, text, tuple(confusions))


def _rows(row: Any, name: str, where: str) -> list[Mapping[str, Any]]:
    listed = row.get(name) if isinstance(row, Mapping) else None
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        raise DataInvalid(f"{where} has no list “{name}”.")
    return listed
