"""`bookworm evaluate booookscore` on a small folder in the form of the released one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.cli.app import run
from tests.evaluation.booookscore.conftest import SYSTEM, release

__all__ = ["release"]


def test_the_table_shows_measured_beside_published(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(release)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    score = next(row for row in rows if row[:1] == [SYSTEM])
    # Three summaries: 3 of 4 sentences, 2 of 2, 1 of 1.
    assert score[:6] == [SYSTEM, "3", "7", "91.7", "[75.0–100.0]", "82.4"]
    assert score[6] == "+9.3"
    assert next(row for row in rows if row[:2] == ["people,", SYSTEM])[2:5] == ["0.00", "0.00", "25.00"]
    assert ["people", "3", "1", "1", "1", "66.7", "79.7"] in rows
    assert ["GPT-4", "1", "1", "0", "0", "100.0", "78.2"] in rows


def test_the_document_has_every_summary(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(release), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, other = found["systems"]
    assert (first["measured"]["name"], first["published"]["score"]) == (SYSTEM, 82.4)
    assert [s["score"] for s in first["measured"]["summaries"]] == [0.75, 1.0, 1.0, None]
    assert (other["published"], other["difference"]) == (None, None)
    assert other["measured"]["kinds"]["salience"] == 0.25
    assert found["people"][0]["measured"]["score"]["mean"] == 0.5
    assert found["confirmed"][0]["partly"] == 1


def test_a_folder_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(tmp_path), "--json"]) != 0
    assert json.loads(capsys.readouterr().out)["code"] == "summaries_invalid"


def test_broken_annotations_are_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release / "annotations/other.json.gz").write_bytes(b"nothing")
    assert run(["evaluate", "booookscore", str(release), "--json"]) != 0
    assert "other.json.gz" in json.loads(capsys.readouterr().out)["detail"]
