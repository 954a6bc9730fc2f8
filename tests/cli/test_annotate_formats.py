"""`bookworm annotate --format`, and `bookworm convert` from BookNLP's files back."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import STORY, Bookworm


@pytest.fixture
def folder(bookworm: Bookworm, story: Path, tmp_path: Path) -> Path:
    """The story in BookNLP's files."""
    target = tmp_path / "new" / "out"
    ran = bookworm("annotate", str(story), "--format", "booknlp", "-o", str(target))
    assert ran.status == Exit.OK, ran.err
    return target


def test_booknlp_goes_into_a_folder(folder: Path) -> None:
    assert sorted(p.name for p in folder.iterdir()) == [
        f"lamp.{ending}" for ending in ("book", "entities", "quotes", "tokens")
    ]
    head, first = (folder / "lamp.entities").read_text("utf-8").splitlines()[:2]
    assert head == "COREF\tstart_token\tend_token\tprop\tcat\ttext"
    assert first.endswith("PROP\tPER\tMargaret Lowe")


@pytest.mark.parametrize("form", ["booknlp", "csv"])
def test_several_files_need_a_folder(bookworm: Bookworm, story: Path, form: str) -> None:
    ran = bookworm("annotate", str(story), "--format", form)
    assert ran.status == Exit.USAGE
    assert f"{form} writes several files" in ran.err
    assert "--output" in ran.err


def test_tables_say_who_people_are_if_the_book_is_in_the_library(
    bookworm: Bookworm, story: Path, tmp_path: Path
) -> None:
    told = {}
    for command in ("export", "annotate"):
        folder = tmp_path / command
        assert bookworm(command, str(story), "--format", "csv", "-o", str(folder)).status == Exit.OK
        (file,) = folder.glob("*.characters.csv")
        rows = csv.DictReader(file.read_text("utf-8-sig").splitlines())
        told[command] = {row["name"]: (row["who"], row["last_chapter"]) for row in rows}
    line = "“He was the master of the supply boat.”"
    assert told["export"]["Captain Briggs"] == (line, "3")
    assert told["annotate"]["Captain Briggs"] == ("", "3")
    early = bookworm("export", str(story), "--format", "markdown", "--upto", "1").out.splitlines()
    assert f"| Captain Briggs |  | he/him | 3 | 1 | 1 | {line} | chapter 1, p:2 |" in early


def test_an_output_does_not_replace_what_is_read(
    bookworm: Bookworm, story: Path, folder: Path, tmp_path: Path
) -> None:
    book, link = tmp_path / "book.txt", tmp_path / "link.json"
    book.write_text(STORY, "utf-8")
    link.symlink_to(book)
    tables = {path: path.read_bytes() for path in folder.iterdir()}
    for command in (
        ("annotate", book, "-o", book),
        ("export", book, "-o", link),
        ("quiz", book, "--export", book),
        ("convert", book, folder, "-o", book),
        ("convert", book, folder, "-o", folder, "--format", "booknlp"),
    ):
        ran = bookworm(*map(str, command))
        assert (ran.status, "is read by this command" in " ".join(ran.err.split())) == (Exit.USAGE, True)
    assert book.read_text("utf-8") == STORY
    assert {path: path.read_bytes() for path in folder.iterdir()} == tables
    book.unlink()
    assert bookworm("annotate", str(story), "-o", str(book)).status == Exit.OK
    assert bookworm("annotate", str(story), "-o", str(book)).status == Exit.OK


def test_a_title_may_be_the_name_of_the_output_folder(
    bookworm: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = bookworm("books", "--json").json["items"][0]
    again = ("export", book["title"], "--format", "booknlp", "-o", book["title"])
    assert [bookworm(*again).status for _ in range(2)] == [Exit.OK] * 2


@pytest.mark.parametrize("form", ["jsonl", "conll", "conll-book", "markdown"])
def test_json_is_refused_where_stdout_would_have_no_document(
    bookworm: Bookworm, story: Path, form: str
) -> None:
    ran = bookworm("annotate", str(story), "--format", form, "--json")
    assert ran.status == Exit.USAGE
    assert f"{form} is not one JSON document" in ran.json["detail"]


def test_a_file_is_no_folder(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    ran = bookworm("annotate", str(story), "--format", "booknlp", "-o", str(tmp_path / "taken"), "--json")
    assert ran.status == Exit.ERROR
    assert ran.json["code"] == "file_trouble"


def test_jsonl_is_a_document_a_line(bookworm: Bookworm, story: Path) -> None:
    lines = [json.loads(x) for x in bookworm("annotate", str(story), "--format", "jsonl").out.splitlines()]
    document = bookworm("annotate", str(story)).json
    assert lines[0]["schema"] == "bookworm.annotations.lines/1"
    for kind in ("character", "mention", "quote"):
        assert sum(line["type"] == kind for line in lines) == len(document[f"{kind}s"])


def test_conll_has_parts(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    by_chapter = bookworm("annotate", str(story), "--format", "conll").out
    whole = bookworm("annotate", str(story), "--format", "conll-book").out
    assert by_chapter.count("#begin document") == by_chapter.count("#end document") == 3
    assert whole.count("#begin document") == whole.count("#end document") == 1
    target = tmp_path / "out.conll"
    told = bookworm("annotate", str(story), "--format", "conll", "-o", str(target), "--json").json
    assert target.read_text("utf-8") == by_chapter
    assert told["characters"] > 0


def test_convert_brings_it_back(bookworm: Bookworm, story: Path, folder: Path, tmp_path: Path) -> None:
    before = bookworm("annotate", str(story)).json
    ran = bookworm("convert", str(story), str(folder))
    assert ran.status == Exit.OK
    assert ran.err == ""
    assert ran.json["resolver"] == "booknlp/files"
    places = [
        [(m["start"], m["end"], m["kind"]) for m in document["mentions"]] for document in (before, ran.json)
    ]
    assert places[0] == places[1]
    told = bookworm("convert", str(story), str(folder), "-o", str(tmp_path / "back.json"), "--json").json
    assert told["mentions"] == len(before["mentions"])
    assert bookworm("convert", str(story), str(folder), "--format", "conll").out.startswith("#begin document")


def test_convert_says_what_it_leaves_out(bookworm: Bookworm, folder: Path, tmp_path: Path) -> None:
    (folder / "lamp.tokens").unlink()
    shorter = tmp_path / "lamp.txt.gz"
    shorter.write_bytes(gzip.compress(STORY.replace("She was happy. ", "").encode()))
    ran = bookworm("convert", str(shorter), str(folder))
    assert ran.status == Exit.OK
    assert "mentions" in ran.err
    assert "omitted" in ran.err
    text = gzip.decompress(shorter.read_bytes()).decode()
    assert all(text[m["start"] : m["end"]].casefold() != "happy" for m in ran.json["mentions"])


def test_convert_refuses_another_book(bookworm: Bookworm, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("It rained on the hills all day.\n\n" * 50, "utf-8")
    ran = bookworm("convert", str(other), str(folder), "--json")
    assert ran.status == Exit.ERROR
    assert ran.json["code"] == "booknlp_mismatch"


def test_convert_refuses_what_is_not_booknlp(bookworm: Bookworm, story: Path, tmp_path: Path) -> None:
    ran = bookworm("convert", str(story), str(tmp_path), "--json")
    assert ran.status == Exit.ERROR
    assert ran.json["code"] == "booknlp_unreadable"


def test_booknlp_as_the_resolver_says_what_it_lacks(bookworm: Bookworm, story: Path) -> None:
    ran = bookworm("annotate", str(story), "--resolver", "booknlp")
    assert ran.status == Exit.UNAVAILABLE
    assert "BOOKWORM_BOOKNLP_PYTHON" in ran.err


def test_the_settings_reach_the_resolver(
    bookworm: Bookworm, story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKWORM_BOOKNLP_PYTHON", str(tmp_path / "no-python"))
    assert "no-python" in bookworm("annotate", str(story), "--resolver", "booknlp").err.replace("\n", "")
    monkeypatch.setenv("BOOKWORM_BOOKNLP_PYTHON", str(story))
    monkeypatch.setenv("BOOKWORM_BOOKNLP_MODELS", str(tmp_path))
    monkeypatch.setenv("BOOKWORM_BOOKNLP_SIZE", "big")
    assert "big weights" in bookworm("annotate", str(story), "--resolver", "booknlp").err.replace("\n", " ")
