"""The labelled facts: the project's own, or a user's."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from evaluation.facts.types import FactsHalf, LabelledFact
from generation.types import Category

PLACE = Path(__file__).with_name("labelled.csv")
COLUMNS = ("fact", "category", "second", "book", "half")


def read(path: Path | None = None) -> list[LabelledFact]:
    """Read labelled facts. Raises ValueError with the row that is wrong."""
    rows = csv.DictReader(io.StringIO((path or PLACE).read_text("utf-8-sig")), strict=True)
    if missing := [c for c in COLUMNS if c not in (rows.fieldnames or ())]:
        raise ValueError(f"the column {missing[0]} is missing")
    found = [_row(row, number) for number, row in enumerate(_rows(rows), 2)]
    if not found:
        raise ValueError("there are no facts")
    return found


def _rows(rows: csv.DictReader[str]) -> list[dict[str, str | None]]:
    try:
        return [dict(row) for row in rows]
    except csv.Error as error:
        raise ValueError(str(error)) from error


def _row(row: dict[str, str | None], number: int) -> LabelledFact:
    try:
        fact = (row["fact"] or "").strip()
        if not fact:
            raise ValueError("the fact is empty")
        return LabelledFact(
            fact,
            Category(row["category"] or ""),
            Category(row["second"] or ""),
            row["book"] or "",
            FactsHalf(row["half"] or ""),
        )
    except ValueError as error:
        raise ValueError(f"row {number}: {error}") from error
