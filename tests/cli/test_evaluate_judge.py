"""`bookworm evaluate judge` on a book made up for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.cli.app import run

BOOK = """Chapter 1

Miss Anna Harding was the daughter of Mr. Harding. Anna was proud and clever. Mr. Harding was a physician.

Captain Brook came to Fernley in the spring. Captain Brook admired Anna, and he gave Anna a silver watch.

Chapter 2

Anna nursed Captain Brook, and she read to him every day. Captain Brook did not forgive Mr. Harding.
"""
FACTS = """book,half,character,fact,category,truth,kind,words
fernley,calibration,Anna,Anna is proud.,personality,true,,Anna was proud
fernley,calibration,Anna,Mr. Harding is proud.,personality,false,character,Anna was proud
fernley,held_out,Anna,Anna nursed Captain Brook.,event,true,,Anna nursed
fernley,held_out,Anna,Captain Brook nursed Anna.,event,false,character,Anna nursed
fernley,held_out,Captain Brook,Captain Brook forgave Mr. Harding.,event,false,polarity,another edition
elsewhere,held_out,Nobody,Nobody left.,event,true,,left
"""


@pytest.fixture(scope="module")
def novels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("novels")
    (folder / "12_fernley.txt").write_text(BOOK)
    (folder / "facts.csv").write_text(FACTS)
    return folder


def ask(novels: Path, *more: str) -> int:
    work = novels / "work"
    facts = novels / "facts.csv"
    return run(
        ["evaluate", "judge", "--novels", str(novels), "--facts", str(facts), "--work", str(work), *more]
    )


def test_both_halves_are_told_with_their_parts(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(novels, "--json") == 0
    told, news = capsys.readouterr()
    found = json.loads(told)
    assert (found["facts"], found["left_out"]) == (5, 1)
    halves = found["judges"][0]["halves"]
    assert found["judges"][0]["judge"] == "offline/8"
    assert halves["held_out"]["whole"]["facts"] == 3
    assert halves["held_out"]["whole"]["false_supported"]["all"] == 2
    assert set(halves["held_out"]["by_falsehood"]) == {"character", "polarity"}
    assert set(halves["calibration"]["by_category"]) == {"personality"}
    assert "elsewhere" in news
    assert "lacks the words of 1 fact" in news


def test_people_are_shown_tables(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(novels) == 0
    shown = capsys.readouterr().out
    for heading in ("Held out", "By kind of change, held out", "Scores, calibration", "1 omitted"):
        assert heading in shown


def test_what_is_no_table_of_facts_is_refused(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (novels / "bad.csv").write_text("book,half\nfernley,calibration\n")
    assert ask(novels, "--facts", str(novels / "bad.csv"), "--json") == 1
    assert "facts_invalid" in "".join(capsys.readouterr())


def test_an_unknown_judge_is_refused(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = novels / "unused"
    assert ask(novels, "--judge", "solomon", "--work", str(work)) != 0
    assert "solomon" in "".join(capsys.readouterr())
    assert not work.exists()


def test_resolved_books_are_not_kept_in_a_file(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for work in (novels / "facts.csv", novels / "facts.csv" / "below"):
        assert ask(novels, "--work", str(work)) == 2
        assert "--work" in capsys.readouterr().err
