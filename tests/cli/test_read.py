"""`bookworm read`: a file in, what is understood of it out, no library."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from books.reading import read
from books.report import structure, tell
from service.cli.exits import Exit
from tests.cli.conftest import STORY, Bookworm
from tests.http.test_uploading_again import CHINESE, FRENCH


def write(folder: Path, data: bytes | str, name: str = "book.txt") -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def test_json_is_report_and_structure(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    told = bookworm("read", str(story), "--json", data_dir=tmp_path / "none").json
    book = read(STORY.encode(), name=story.name)
    assert told == {"report": tell(book), **structure(book)}
    assert list(told) == ["report", "chapters", "paragraphs", "excluded", "play"]
    assert not (tmp_path / "none").exists(), "no data folder is needed"


def test_chinese_is_counted_in_characters(bookworm: Bookworm, tmp_path: Path) -> None:
    shown = bookworm("read", write(tmp_path, CHINESE)).out
    assert "Characters  " in shown
    assert "Words" not in shown


def test_spans_point_into_the_text(bookworm: Bookworm, story: Path) -> None:
    told = bookworm("read", str(story), "--json", "--text").json
    assert told["text"] == STORY
    assert bookworm("read", str(story), "--text").out == STORY
    first = told["chapters"][0]
    assert STORY[first["start"] :].startswith("Chapter 1. The Lamp")
    assert {p["kind"] for p in told["paragraphs"]} == {"heading", "prose"}
    assert all(STORY[p["start"] : p["end"]].strip() for p in told["paragraphs"])
    assert sum(c["words"] for c in told["chapters"]) == told["report"]["words"]


def test_the_page_is_readable(bookworm: Bookworm, story: Path) -> None:
    ran = bookworm("read", str(story))
    assert ran.status == Exit.OK
    for words in ("Plain text", "utf-8 (valid)", "English", "3, from headings", "Chapter 2. The Storm"):
        assert words in ran.out
    assert ran.err == ""


def test_warnings_are_told(bookworm: Bookworm, tmp_path: Path) -> None:
    ran = bookworm("read", write(tmp_path, "It rained, and nobody came to the house that day. " * 40))
    assert ran.status == Exit.OK
    assert "Warning" in ran.err
    assert "one chapter" in " ".join(ran.err.split())


def test_title_author_and_encoding_may_be_given(bookworm: Bookworm, tmp_path: Path) -> None:
    file = write(tmp_path, CHINESE.encode("big5", "replace"))
    told = bookworm(
        "read", file, "--title", "Ours", "--author", "Us", "--encoding", "big5", "--force", "--json"
    ).json["report"]
    assert (told["title"], told["author"]) == ("Ours", "Us")
    assert (told["encoding"], told["encoding_by"]) == ("big5", "given")


def test_a_language_that_is_not_understood_needs_force(bookworm: Bookworm, tmp_path: Path) -> None:
    file = write(tmp_path, FRENCH)
    refused = bookworm("read", file, "--json")
    assert (refused.status, refused.json["code"]) == (Exit.ERROR, "unsupported_language")
    assert "force" in refused.json["remedy"]
    assert bookworm("read", file, "--force", "--json").json["report"]["language"] == "fr"


@pytest.mark.parametrize(
    ("data", "options", "status", "code"),
    [
        (b"", (), Exit.ERROR, "empty_book"),
        (b"%PDF-1.7 ...", (), Exit.ERROR, "unsupported_format"),
        (b"It rained.", ("--encoding", "utf-9"), Exit.USAGE, "encoding_unknown"),
        (gzip.compress(gzip.compress(b"It rained.", mtime=0), mtime=0), (), Exit.ERROR, "file_hostile"),
    ],
)
def test_what_is_no_book_is_refused(
    bookworm: Bookworm, tmp_path: Path, data: bytes, options: tuple[str, ...], status: Exit, code: str
) -> None:
    file = write(tmp_path, data)
    ran = bookworm("read", file, *options, "--json")
    assert (ran.status, ran.json["code"]) == (status, code)
    told = bookworm("read", file, *options)
    assert (told.status, told.out) == (status, "")
    assert "Error" in told.err


def test_the_limits_are_those_of_the_settings(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, gzip.compress(STORY.encode()), "lamp.txt.gz")
    assert bookworm("read", file).status == Exit.OK
    monkeypatch.setenv("BOOKWORM_MAX_UNPACKED_BYTES", "100")
    assert bookworm("read", file, "--json").json["code"] == "book_too_large"
    assert bookworm("annotate", file, "--json").json["code"] == "book_too_large"
