"""`bookworm chapters`, and how a book is to be read: `ingest --encoding --force`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import STORY, Bookworm
from tests.http.test_uploading_again import FRENCH

FOUND = ["Chapter 1. The Lamp", "Chapter 2. The Storm", "Chapter 3. The Letter"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is who is not the point here."""
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder of its own."""
    return tmp_path / "data"


def test_they_are_listed(bookworm: Bookworm, book: str, own: Path) -> None:
    found = bookworm("chapters", book, "--json", data_dir=own).json
    assert [c["title"] for c in found["chapters"]] == FOUND
    assert [c["number"] for c in found["chapters"]] == [1, 2, 3]
    assert found["by"] == "headings"
    shown = bookworm("chapters", book, data_dir=own).out
    assert all(title in shown for title in FOUND)
    assert "3, from headings" in shown
    gated = bookworm("chapters", book, "--upto", "1", "--json", data_dir=own).json
    assert [c["title"] for c in gated["chapters"]] == FOUND[:1]


def test_they_are_corrected_and_taken_back(bookworm: Bookworm, book: str, own: Path, tmp_path: Path) -> None:
    found = bookworm("chapters", book, "--json", data_dir=own).json
    del found["chapters"][1]
    found["chapters"][0]["title"] = "All before the Letter"
    file = tmp_path / "chapters.json"
    file.write_text(json.dumps(found), "utf-8")
    corrected = bookworm("chapters", book, "--set", str(file), "--json", data_dir=own).json
    assert corrected["by"] == "reader"
    assert [c["title"] for c in corrected["chapters"]] == ["All before the Letter", FOUND[2]]
    again = bookworm("chapters", book, "--set", str(file), data_dir=own)
    assert "already has these" in again.err
    back = bookworm("chapters", book, "--reset", "--json", data_dir=own).json
    assert [c["title"] for c in back["chapters"]] == FOUND


def test_a_correction_can_be_left_to_the_workers(
    bookworm: Bookworm, book: str, own: Path, tmp_path: Path
) -> None:
    file = tmp_path / "chapters.json"
    file.write_text(json.dumps({"chapters": [{"start": 0, "title": "All"}]}), "utf-8")
    ran = bookworm("chapters", book, "--set", str(file), "--no-wait", data_dir=own)
    assert "job_" in ran.err
    assert FOUND[1] in ran.out
    done = bookworm("chapters", book, "--set", str(file), "--json", data_dir=own).json
    assert [c["title"] for c in done["chapters"]] == ["All"]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("{", "chapters_invalid"),
        ('{"chapters": []}', "chapters_invalid"),
        ('{"chapters": [{"start": 1, "title": "x"}]}', "chapters_invalid"),
    ],
)
def test_what_makes_no_chapters_is_refused(
    bookworm: Bookworm, shelf: Path, tmp_path: Path, document: str, code: str
) -> None:
    file = tmp_path / "chapters.json"
    file.write_text(document, "utf-8")
    book = bookworm("books", "--json").json["items"][0]["id"]
    ran = bookworm("chapters", book, "--set", str(file), "--json")
    assert (ran.status, ran.json["code"]) == (Exit.ERROR, code)
    assert ran.json["remedy"]


def test_setting_and_resetting_exclude_each_other(bookworm: Bookworm, story: Path) -> None:
    ran = bookworm("chapters", "any", "--set", str(story), "--reset", "--json")
    assert (ran.status, ran.json["code"]) == (Exit.USAGE, "usage")


def test_a_language_that_is_not_understood_can_be_forced(
    bookworm: Bookworm, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "book.txt"
    file.write_bytes(FRENCH)
    refused = bookworm("ingest", str(file), "--json", data_dir=folder)
    assert (refused.status, refused.json["code"]) == (Exit.ERROR, "unsupported_language")
    assert "French" in refused.json["detail"]
    assert "--force" in refused.json["remedy"]
    forced = bookworm("ingest", str(file), "--force", data_dir=folder)
    assert forced.status == Exit.OK
    assert "Warning" in forced.err
    assert bookworm("characters", str(file), "--json", data_dir=folder).status == Exit.OK
    unforced = bookworm("ingest", str(file), "--no-force", "--json", data_dir=folder)
    assert unforced.json["code"] == "unsupported_language"


@pytest.mark.parametrize("between", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_an_encoding_can_be_given_and_left_to_the_file_again(
    bookworm: Bookworm, folder: Path, tmp_path: Path, between: bool
) -> None:
    """What was given stays, also for who says nothing about it."""
    file = tmp_path / "book.txt"
    file.write_bytes(STORY.encode("cp1252"))

    def encoding(*options: str) -> str:
        book = bookworm("ingest", str(file), *options, "--json", data_dir=folder).json["book"]
        return str(book["report"]["encoding_by"])

    assert encoding("--encoding", "cp1252") == "given"
    assert not between or encoding() == "given"
    assert encoding("--encoding", "auto") != "given"


def test_what_is_said_while_a_job_waits_for_workers_counts(
    bookworm: Bookworm, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "book.txt"
    file.write_text(STORY + "\n\nOnce more.\n", "utf-8")
    assert (
        bookworm("ingest", str(file), "--no-wait", "--json", data_dir=folder).json["book"]["state"]
        == "pending"
    )
    told = bookworm("ingest", str(file), "--title", "Ours", "--json", data_dir=folder).json["book"]
    assert (told["state"], told["title"]) == ("ready", "Ours")


def test_annotate_takes_the_same_options(bookworm: Bookworm, tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_bytes(FRENCH)
    assert bookworm("annotate", str(file), "--json").json["code"] == "unsupported_language"
    forced = bookworm("annotate", str(file), "--force").json
    garbled = bookworm("annotate", str(file), "--force", "--encoding", "cp437").json
    assert forced["sha256"] != garbled["sha256"]
