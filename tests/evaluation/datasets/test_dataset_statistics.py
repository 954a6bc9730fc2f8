"""`bookworm evaluate dataset`: a book and four texts whose figures can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from evaluation.commands.dataset import DatasetInvalid
from evaluation.datasets import samples, shelf, statistics
from evaluation.datasets.pairing import pair
from evaluation.datasets.statistics import Copied, TextLength
from evaluation.datasets.types import DatasetEntry
from generation.training.types import DataSplit
from generation.types import Task
from service.cli import output
from tests.evaluation.command import evaluated, printed

STORY = """Anne kept the lamp. She was patient.

Peter hated the sea.

The lamp went out, and Peter lit the lamp again.
"""
"""Twenty-one words in four sentences."""
AUTHOR = "Ann Writer"


def entry(line: int, who: str, task: Task, text: str, title: str = "The Lamp") -> DatasetEntry:
    return DatasetEntry(line, "7", title, AUTHOR, who, task, text, "somebody")


ENTRIES = [
    entry(1, "Anne", Task.DESCRIPTION, "Anne kept the lamp well. She was brave."),
    entry(2, "anne", Task.DESCRIPTION, "Peter hated the sea."),
    entry(3, "Peter", Task.DESCRIPTION, "Unlike anybody.", title="Not There"),
    entry(4, "Anne", Task.ANALYSIS, "Anne kept the lamp bravely."),
]


@pytest.fixture
def books(tmp_path: Path) -> Path:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "7_the_lamp.txt").write_text(STORY)
    return folder


def test_figures_by_hand(books: Path) -> None:
    shelved, _ = shelf.shelved(shelf.files(books))
    pairs, missing = pair(ENTRIES, shelved)
    assert [each.title for each in missing] == ["Not There"]
    measured = statistics.measure(ENTRIES, pairs, shelf.open_book)
    assert set(measured) == {1, 2, 4}
    assert measured[1][0] == TextLength(words=21, sentences=4)
    # "anne kept the lamp" (4), "she was" (2); "well" and "brave" do not occur: (16 + 4) / 8.
    assert measured[1][1] == Copied(coverage=6 / 8, density=20 / 8, compression=21 / 8)
    assert measured[2][1] == Copied(coverage=1.0, density=4.0, compression=21 / 4)
    told = statistics.of_texts(ENTRIES, Task.DESCRIPTION, measured)
    assert told is not None
    assert (told.books, told.samples, told.characters_a_book) == (2, 3, 1.0)
    assert (told.input_words, told.input_sentences) == (21, 4)
    assert (told.output_words, told.output_sentences) == (pytest.approx(14 / 3), pytest.approx(4 / 3))
    assert told.copied is not None
    assert told.copied.density == pytest.approx((20 / 8 + 4) / 2)
    assert statistics.of_texts(ENTRIES, Task.JOINT, measured) is None


def test_descriptions_beside_analyses() -> None:
    found = statistics.between_tasks(ENTRIES)
    assert found.characters == 1
    # Of "anne kept the lamp well she was brave peter hated the sea": 11 different words, 7 of them new.
    assert found.novel[1] == pytest.approx(7 / 11)
    assert found.novel[2] == pytest.approx(8 / 11)
    assert found.novel[3] == pytest.approx(8 / 10)
    assert statistics.between_tasks(ENTRIES[1:2]).novel == {1: None, 2: None, 3: None}


def data(folder: Path, **more: Any) -> Path:
    lines = [
        {
            "id": e.book_id,
            "book": e.title,
            "author": e.author,
            "character": e.character,
            e.task.value: e.text,
            "source": e.source,
        }
        | more
        for e in ENTRIES
    ]
    path = folder / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_the_command(books: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = ("--description-words", "3", "--analysis-words", "0")
    told = printed(capsys, "dataset", data(tmp_path), "--books", books, *bounds)
    assert told["tasks"]["description"]["samples"] == 2
    assert told["tasks"]["analysis"]["samples"] == 1
    assert told["short"] == 1
    assert [(b["title"], b["verified"], b["book"]["number"]) for b in told["books"]] == [
        ("The Lamp", "number", "7")
    ]
    assert sum(split["samples"] for split in told["splits"].values()) == 3
    assert told["leak"] is None


def test_the_page(
    books: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.out, "width", 200)
    bounds = ("--description-words", "1", "--analysis-words", "1")
    evaluated("dataset", data(tmp_path), "--books", books, *bounds)
    page = capsys.readouterr().out
    assert "Books found: 1 (1 by number); not found: 1." in page
    assert "Not There by Ann Writer: no book of this title" in page
    assert "63.6 % of 1-grams" in page


def test_the_authors_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "books" / "7"
    folder.mkdir(parents=True)
    (folder / "book_cleaned.txt").write_text(STORY)
    splits = tmp_path / "splits" / "description"
    splits.mkdir(parents=True)
    (splits / "test.tsv").write_text("BookId\n7\n")
    none = ("--description-words", "0", "--analysis-words", "0")
    given = ("dataset", data(tmp_path), "--books", folder.parent, "--splits", splits.parent, *none)
    told = printed(capsys, *given)
    assert [pair["verified"] for pair in told["books"]] == ["number"] * 2
    assert told["splits"]["test"]["samples"] == 3
    assert sum(split["samples"] for split in told["splits"].values()) == 3
    assert told["unplaced"] == 1
    evaluated(*given)
    page = capsys.readouterr().out
    assert "By its number, 7 is taken for The Lamp." in page
    assert "In none of the splits: 1 texts." in page


def test_the_authors_split_files(books: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = data(tmp_path).read_text().splitlines()
    for folder in ("corpus/description", "processed/description/full_book"):
        (made := tmp_path / "data" / folder).mkdir(parents=True)
        more = {"input": STORY} if "processed" in folder else {}
        for name, some in {"train.jsonl": lines[:3], "test.jsonl": lines[3:]}.items():
            (made / name).write_text("\n".join(json.dumps(json.loads(line) | more) for line in some))
    given = ("--books", books, "--description-words", "0", "--analysis-words", "0")
    processed = printed(capsys, "dataset", tmp_path / "data" / "processed", *given)
    assert [split["samples"] for split in processed["splits"].values()] == [3, 0, 1]
    every = printed(capsys, "dataset", tmp_path / "data", *given)
    assert (every["repeats"], every["tasks"]) == (4, processed["tasks"])
    (tmp_path / "data" / "val.jsonl").write_text(lines[0])
    with pytest.raises(DatasetInvalid, match=r"Book 7 \(description\) is in two splits"):
        evaluated("dataset", tmp_path / "data", *given)
    with pytest.raises(DatasetInvalid, match=r"have no train\.jsonl or"):
        evaluated("dataset", tmp_path / "books", *given)


def test_seed_and_out_reach_the_training(books: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "train.jsonl"
    seen = set()
    for seed in range(20):
        evaluated(
            "dataset", data(tmp_path), "--books", books, "--description-words", "0", "--analysis-words", "0",
            "--out", out, "--seed", str(seed), "--json",
        )  # fmt: skip
        made = samples.read(out)
        assert [s.reference for s in made] == [e.text for e in ENTRIES if e.title == "The Lamp"]
        assert all(Path(s.book).is_file() for s in made)
        [split] = {s.split for s in made}
        seen.add(split)
    assert len(seen) > 1
    assert DataSplit.TRAIN in seen


def test_out_replaces_no_input_and_nothing_by_nothing(
    books: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = ("--description-words", "0", "--analysis-words", "0", "--json")
    given, out = data(tmp_path), tmp_path / "out.jsonl"
    before = given.read_text()
    for read in (given, books / "7_the_lamp.txt"):
        with pytest.raises(typer.BadParameter, match="is read by this command"):
            evaluated("dataset", given, "--books", books, "--out", read, *none)
    assert (given.read_text(), (books / "7_the_lamp.txt").read_text()) == (before, STORY)
    evaluated("dataset", given, "--books", books, "--out", out, *none)
    assert "out.jsonl: 3 samples" in capsys.readouterr().err.replace("\n", "")
    made = out.read_text()
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetInvalid, match="nothing to write"):
        evaluated("dataset", given, "--books", tmp_path / "empty", "--out", out, *none)
    assert out.read_text() == made


def test_bad_input(books: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetInvalid, match="shorter than the minimum"):
        evaluated("dataset", data(tmp_path), "--books", books)
    with pytest.raises(DatasetInvalid, match="`genre` unknown"):
        evaluated("dataset", data(tmp_path, genre="novel"), "--books", books)
