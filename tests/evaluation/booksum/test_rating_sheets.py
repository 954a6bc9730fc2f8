"""Sheets on which people rate summaries: nothing gives a system away, and what is filled in comes back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.agreement import weighted
from evaluation.booksum.rating_sheets import (
    DIMENSIONS,
    RatedSummary,
    read_key,
    read_sheet,
    report,
    sheet_of,
)
from evaluation.booksum.types import SummaryLevel
from evaluation.commands.sheets import SheetInvalid
from evaluation.datasets.types import DataInvalid
from tests.evaluation.command import evaluated, printed

SUMMARIES = [
    RatedSummary(system, level, bid, f"{level} {bid}", f"The text of {bid}.", f"{words} {bid}.")
    for bid in ("11", "12", "13", "14")
    for level in (SummaryLevel.PARAGRAPH, SummaryLevel.CHAPTER)
    for system, words in (("lead", "It begins with"), ("oracle", "All of"))
]


def filled(sheet: str, **rated: Any) -> str:
    """The sheet with ratings, by what the summary begins with."""
    rows = list(csv.DictReader(io.StringIO(sheet)))
    for row in rows:
        row.update(rated["lead" if row["summary"].startswith("It") else "oracle"])
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def test_a_sheet_tells_no_system_and_the_text_of_paragraphs_alone() -> None:
    sheet, key = sheet_of(SUMMARIES, most=3, seed=1)
    assert "lead" not in sheet
    assert "oracle" not in sheet
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert len(rows) == 2 * 3 * 2, "both systems' summaries of three texts of each level"
    assert {bool(row["text"]) for row in rows if row["level"] == "paragraph"} == {True}
    assert {bool(row["text"]) for row in rows if row["level"] == "chapter"} == {False}
    assert all(row[name] == "" for row in rows for name in DIMENSIONS)
    assert sorted(json.loads(key)) == sorted(row["id"] for row in rows)
    first = [row["summary"].startswith("It") for row in rows[::2]]
    assert len(set(first)) == 2, "no system always comes first"
    assert sheet_of(SUMMARIES, most=3, seed=1) == (sheet, key)


def test_what_judges_say() -> None:
    sheet, key_text = sheet_of(SUMMARIES, most=4, seed=1)
    key = read_key(key_text)
    one = read_sheet(filled(sheet, lead={"fluency": "2"}, oracle={"fluency": "5", "coherence": "4"}), key)
    two = read_sheet(filled(sheet, lead={"fluency": "3"}, oracle={"fluency": "5"}), key)
    found = report(key, [one, two])
    assert found.judges == 2
    by = {(r.system, r.level.value, r.dimension): (r.mean.mean, r.ratings) for r in found.ratings}
    assert by[("lead", "chapter", "fluency")] == (2.5, 8)
    assert by[("oracle", "paragraph", "fluency")] == (5.0, 8)
    assert by[("oracle", "chapter", "coherence")] == (4.0, 4)
    assert ("lead", "chapter", "coherence") not in by
    assert found.agreement["fluency"] == pytest.approx(weighted([2] * 8 + [5] * 8, [3] * 8 + [5] * 8))
    assert found.agreement["relevance"] is None


def test_weighted_kappa() -> None:
    assert weighted([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]) == 1.0
    assert weighted([1, 1, 5, 5], [1, 5, 1, 5]) == 0.0
    near, far = weighted([1, 3, 5, 5], [1, 3, 5, 4]), weighted([1, 3, 5, 5], [1, 3, 5, 1])
    assert near is not None
    assert far is not None
    assert near > far
    assert weighted([3, 3], [3, 3]) is None
    assert weighted([], []) is None


@pytest.mark.parametrize(
    ("rated", "says"),
    [
        ({"fluency": "6"}, "from 1 to 5"),
        ({"fluency": "good"}, "“good”"),
        ({"id": "nobody"}, "no summary nobody"),
    ],
)
def test_what_is_no_rating_is_told_with_its_line(rated: dict[str, str], says: str) -> None:
    sheet, key = sheet_of(SUMMARIES, most=1, seed=1)
    with pytest.raises(DataInvalid, match=f"Line 2.*{says}"):
        read_sheet(filled(sheet, lead=rated, oracle=rated), read_key(key))
    with pytest.raises(DataInvalid, match="columns"):
        read_sheet("id,summary\n", read_key(key))
    with pytest.raises(DataInvalid, match="no key"):
        read_key("[1]")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, key = sheet_of(SUMMARIES, most=4, seed=1)
    (tmp_path / "key.json").write_text(key)
    (tmp_path / "ann.csv").write_text(
        filled(sheet, lead={"fluency": "2"}, oracle={"fluency": "4"}), "utf-8-sig"
    )
    (tmp_path / "empty.csv").write_text(sheet)
    told = printed(capsys, "sheets", tmp_path / "key.json", tmp_path / "ann.csv")
    assert told["ratings"][0]["mean"]["mean"] == 2.0
    evaluated("sheets", tmp_path / "key.json", tmp_path / "ann.csv", tmp_path / "empty.csv")
    assert "oracle" in capsys.readouterr().out
    with pytest.raises(SheetInvalid, match="Nothing is filled in"):
        evaluated("sheets", tmp_path / "key.json", tmp_path / "empty.csv")
    with pytest.raises(SheetInvalid, match=r"key\.json: A sheet has the columns"):
        evaluated("sheets", tmp_path / "key.json", tmp_path / "key.json")
