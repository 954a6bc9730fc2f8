"""The measure of a reading: right and wrong chapters, lost text, broken files, and the sums."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer import BadParameter

from books.errors import BookwormError
from books.reading import read
from books.types import Exclusion, Part, Span
from evaluation.reading.gold import bare_name, checked_books, ends_agree
from evaluation.reading.laws import troubles_of
from evaluation.reading.measure import measured, outside, unpacked_size
from evaluation.reading.summary import summed_up
from evaluation.reading.types import (
    ChapterNumbering,
    CheckedBook,
    FailedReading,
    NumberingVerdict,
    ReadingMeasure,
    ReadingSplit,
    ReadingSpread,
    ReadingTally,
)
from tests.evaluation.command import evaluated, printed

PROSE = "Margaret kept the lamp at the point, and she was a patient woman who did not say much of it. " * 6


def story(*numbers: int) -> str:
    return "".join(f"CHAPTER {number}\n\n{PROSE}\n\n{PROSE}\n\n" for number in numbers)


@pytest.fixture
def novels(tmp_path: Path) -> Path:
    """One right, one whose chapters disagree with the table, one with a gap, one that is no book at all."""
    folder = tmp_path / "novels"
    folder.mkdir()
    (folder / "1_right.txt").write_text(story(1, 2, 3), "utf-8")
    (folder / "2_counted_otherwise.txt.gz").write_bytes(gzip.compress(story(1, 2, 3, 4).encode()))
    (folder / "3_gap.txt").write_text(story(1, 2, 3, 7, 8, 9), "utf-8")
    (folder / "4_broken.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    (folder / "notes.log").write_text("not a book", "utf-8")
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "checked.csv"
    rows = ["file,split,chapters,parts", "1_right,held-out,3,0", "2_counted_otherwise,development,5,0"]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


run = partial(evaluated, "reading")


def test_each_book_is_told(novels: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "reading", "--novels", novels, "--checked", table)
    by_name = {book["file"]: book for book in told["books"]}
    assert list(by_name) == ["1_right.txt", "2_counted_otherwise.txt.gz", "3_gap.txt"]
    assert [by_name[name]["agrees"] for name in by_name] == [True, False, None]
    assert by_name["1_right.txt"]["chapters"] == 3
    assert by_name["1_right.txt"]["numbering"] == {
        "numbered": 3,
        "longest_run": 3,
        "breaks": [],
        "verdict": "right",
    }
    assert by_name["3_gap.txt"]["numbering"]["breaks"] == ["3 → 7"]
    assert all(book["troubles"] == [] for book in told["books"])
    assert all(book["memory"] is None for book in told["books"])


def test_a_file_that_is_no_book_is_told_with_its_code(
    novels: Path, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = printed(capsys, "reading", "--novels", novels, "--checked", table)
    [failure] = told["failed"]
    assert failure["file"] == "4_broken.txt"
    with pytest.raises(BookwormError) as error:
        read((novels / "4_broken.txt").read_bytes())
    assert failure["code"] == error.value.code


def test_the_summary_of_the_folder(novels: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = printed(capsys, "reading", "--novels", novels, "--checked", table)["summary"]
    assert (summary["books"], summary["failed"], summary["lawful"]) == (3, 1, 3)
    assert summary["checked"] == {
        "held-out": {"books": 1, "right": 1, "exact": 1},
        "development": {"books": 1, "right": 0, "exact": 0},
    }
    assert summary["sequences"] == {"right": 2, "wrong": 1, "untold": 0}


def test_some_books_only(novels: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def files(*arguments: object) -> list[str]:
        told = printed(capsys, "reading", "--novels", novels, "--checked", table, *arguments)
        return [book["file"] for book in told["books"]]

    assert files("--only", "gap") == ["3_gap.txt"]
    assert files("--only", "gap", "--only", "1_") == ["1_right.txt", "3_gap.txt"]
    assert files("--only", "Counted Otherwise") == ["2_counted_otherwise.txt.gz"]
    assert files("--split", "held-out") == ["1_right.txt"]


def test_the_option_that_leaves_out_every_book_is_named(novels: Path, table: Path) -> None:
    with pytest.raises(BadParameter, match="No novel's name contains “gip”"):
        run("--novels", novels, "--checked", table, "--only", "gap", "--only", "gip")
    with pytest.raises(BadParameter, match="No book of this split"):
        run("--novels", novels, "--checked", table, "--only", "gap", "--split", "held-out")


def test_memory_is_measured_on_demand(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [book] = printed(capsys, "reading", "--novels", novels, "--only", "1_right", "--memory")["books"]
    assert book["memory"] > 1


def test_the_page_for_people(novels: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--novels", novels, "--checked", table) == 0
    page = capsys.readouterr().out
    assert "3 books read, 1 failed, 3 without loss of text." in page
    assert "(held-out): 1 of 1; 1 with the correct first and last chapter." in page
    assert "(development): 0 of 1; 0 with the correct first and last chapter." in page
    assert "3 → 7" in page
    assert "4_broken.txt: " in page


def test_a_folder_where_nothing_reads_is_an_error(novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--novels", novels, "--only", "broken", "--json") == 1
    assert json.loads(capsys.readouterr().out)["books"] == []


def test_a_folder_without_books_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BookwormError) as error:
        run("--novels", tmp_path)
    assert error.value.code == "no_novels"


@pytest.mark.parametrize(
    "rows",
    ["file,chapters\na,3", "file,split,chapters,parts\na,held-out,three,0", "file,split,chapters\na,new,3"],
)
def test_a_table_of_another_form_is_an_error(novels: Path, tmp_path: Path, rows: str) -> None:
    (tmp_path / "odd.csv").write_text(rows, "utf-8")
    with pytest.raises(BookwormError) as error:
        run("--novels", novels, "--checked", tmp_path / "odd.csv")
    assert error.value.code == "checked_invalid"


def test_a_crash_of_the_reader_is_told_and_the_next_book_is_read(
    novels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_data: bytes, *, name: str) -> None:
        raise ZeroDivisionError(name)

    monkeypatch.setattr("evaluation.reading.measure.read", crash)
    found = measured(novels / "1_right.txt", checked={})
    assert found == FailedReading("1_right.txt", "crash", "ZeroDivisionError: 1_right.txt")


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    assert measured(tmp_path / "gone.txt", checked={}) == FailedReading(
        "gone.txt", "unreadable", "No such file or directory"
    )


def test_shares_outside_the_story_are_of_all_characters() -> None:
    book = read(story(1, 2).encode())
    cut = (Exclusion(Span(0, 10), Part.FRONT, "x"), Exclusion(Span(20, 25), Part.BACK, "y"))
    assert outside(replace(book, excluded=cut)) == {"back": 5 / len(book.text), "front": 10 / len(book.text)}


def test_what_is_lost_is_seen() -> None:
    book = read(story(1, 2).encode())
    assert troubles_of(book) == ()
    shorter = replace(book, paragraphs=book.paragraphs[:-1])
    [trouble] = troubles_of(shorter)
    assert trouble.startswith("lost: 'Margaret kept the lamp")


def test_chapters_that_do_not_tile_are_seen() -> None:
    book = read(story(1, 2).encode())
    first, second = book.chapters
    shifted = replace(second, span=Span(second.span.start - 1, second.span.end))
    assert "chapter 2 does not begin where chapter 1 ends" in troubles_of(
        replace(book, chapters=(first, shifted))
    )


def test_paragraphs_over_one_another_are_seen() -> None:
    book = read(story(1, 2).encode())
    twice = (*book.paragraphs, book.paragraphs[-1])
    assert troubles_of(replace(book, paragraphs=twice)) == (
        f"paragraph {book.paragraphs[-1].index} lies astray",
    )


@pytest.mark.parametrize(
    ("first", "last", "agree"),
    [
        ("CHAPTER 1", "CHAPTER 2", True),
        ("Chapter / 1.", "", True),
        ("CHAPTER 2", "CHAPTER 2", False),
        ("CHAPTER 1", "CHAPTER 1", False),
    ],
)
def test_the_first_and_the_last_chapter_begin_as_printed(first: str, last: str, agree: bool) -> None:
    book = read(story(1, 2).encode())
    assert ends_agree(book, CheckedBook("a", ReadingSplit.HELD_OUT, 2, 0, first, last)) is agree


def test_the_size_of_a_packed_file_is_that_of_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one", "a" * 1000)
        archive.writestr("two", "b" * 500)
    assert unpacked_size(path.read_bytes()) == 1500
    assert unpacked_size(gzip.compress(b"c" * 700)) == 700
    assert unpacked_size(b"d" * 70) == 70


def test_the_name_of_a_book_is_the_same_in_every_format() -> None:
    names = ("11_alice.txt.gz", "11_alice.epub", "11_alice.TXT", "11_alice")
    assert {bare_name(name) for name in names} == {"11_alice"}
    assert bare_name("Mr. Fox.docx") == "Mr. Fox"


def test_the_table_of_the_project_holds_a_hundred_novels() -> None:
    books = checked_books().values()
    assert len(books) == 100
    assert sum(book.split is ReadingSplit.HELD_OUT for book in books) == 30
    assert all(book.chapters >= 1 and book.parts >= 0 for book in books)


@pytest.mark.parametrize(
    ("text", "wrong"), [("hi\n", "the column file is missing"), ("file,split,chapters,parts\n", "no rows")]
)
def test_a_table_without_checked_books_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    (tmp_path / "checked.csv").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=wrong):
        checked_books(tmp_path / "checked.csv")


def made(
    file: str,
    *,
    found: int = 1,
    true: int | None = None,
    split: ReadingSplit = ReadingSplit.HELD_OUT,
    **other: Any,
) -> ReadingMeasure:
    checked = None if true is None else CheckedBook(file, split, true, 0)
    values: dict[str, Any] = {
        "numbering": ChapterNumbering(found, found, (), NumberingVerdict.RIGHT),
        "words": 50_000,
        "seconds": 0.1,
        "memory": None,
        "troubles": (),
        "ends_agree": None if true is None else True,
        **other,
    }
    return ReadingMeasure(
        file=file,
        chapters=found,
        chapters_by="headings",
        checked=checked,
        outside=0.0,
        outside_by_part={},
        warnings=(),
        **values,
    )


def spread_of(books: Sequence[ReadingMeasure]) -> tuple[ReadingSpread | None, ReadingSpread | None]:
    summary = summed_up(books, ())
    return summary.seconds, summary.memory


def test_sums_by_hand() -> None:
    books = [
        made("a", found=3, true=3),
        made("b", found=3, true=4),
        made("c", found=5, true=5, split=ReadingSplit.DEVELOPMENT, ends_agree=False),
        made("d", troubles=("lost: 'x'",), numbering=ChapterNumbering(0, 0, (), NumberingVerdict.UNTOLD)),
    ]
    summary = summed_up(books, [FailedReading("e", "not_text", "No.")])
    assert (summary.books, summary.failed, summary.lawful) == (4, 1, 3)
    assert summary.checked == {"held-out": ReadingTally(2, 1, 1), "development": ReadingTally(1, 1, 0)}
    assert summary.sequences == {"right": 3, "wrong": 0, "untold": 1}


def test_seconds_are_for_a_hundred_thousand_words_and_short_books_do_not_tell() -> None:
    books = [
        made("a", words=50_000, seconds=0.1),
        made("b", words=200_000, seconds=0.2),
        made("c", words=100_000, seconds=0.5),
        made("d", words=100, seconds=0.1),
    ]
    seconds, memory = spread_of(books)
    assert seconds is not None
    assert (round(seconds.median, 9), round(seconds.most, 9), seconds.worst) == (0.2, 0.5, "c")
    assert memory is None


def test_memory_is_summed_where_it_was_measured() -> None:
    _, memory = spread_of([made("a", memory=3.0), made("b", memory=4.5), made("c")])
    assert memory == ReadingSpread(3.75, 4.5, "b")
