"""`bookworm quiz`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evaluation import novella
from tests.cli.conftest import Bookworm


@pytest.fixture
def wickersea(bookworm: Bookworm, tmp_path: Path) -> str:
    path = tmp_path / "wickersea.txt"
    path.write_text(novella.text(), "utf-8")
    return str(bookworm("ingest", str(path), "--json").json["id"])


def test_questions_are_asked_and_answered(
    bookworm: Bookworm, wickersea: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = bookworm("quiz", wickersea, "--count", "3", "--json").json["questions"]
    answers = [str(question["answer"] + 1) for question in asked[:2]]
    wrong = str(1 + (asked[2]["answer"] + 1) % (len(asked[2]["choices"]) + 1))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(["99", *answers, wrong, ""])))
    shown = bookworm("quiz", wickersea, "--count", "3").out
    assert shown.count("None of these.") == 3
    assert shown.count("Right.") == 2
    assert f"No, it is {asked[2]['answer'] + 1}." in shown
    assert "2 of 3 right." in shown


def test_summaries_are_corrected(bookworm: Bookworm, wickersea: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (task, *_) = bookworm("quiz", wickersea, "--corrections", "--count", "1", "--json").json["corrections"]
    monkeypatch.setattr("sys.stdin", io.StringIO("It was somebody else.\n"))
    shown = " ".join(bookworm("quiz", wickersea, "--corrections", "--count", "1").out.split())
    assert " ".join(task["given"].split()) in shown
    assert f"The book: {' '.join(task['right'].split())}" in shown
