"""The alignment files of BookSum: small ones, counted by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.booksum import counts
from evaluation.booksum.alignment import read_alignment
from evaluation.booksum.split_checks import check_splits
from evaluation.booksum.types import SummaryLevel
from evaluation.datasets.types import DataInvalid
from generation.training.types import DataSplit


def chapter(
    bid: str, title: str, section: str, file: str, source: str = "guide", **more: Any
) -> dict[str, Any]:
    return {
        "bid": bid,
        "is_aggregate": "_to_" in file,
        "source": source,
        "chapter_path": f"all_chapterized_books/{bid}-chapters/{file}.txt",
        "summary_path": f"finished_summaries/{source}/{title}/section_{section}.txt",
        "book_id": f"{title}.{section}",
        "summary_id": section,
    } | more


def whole(bid: str, title: str, source: str = "guide") -> dict[str, Any]:
    return {
        "bid": bid,
        "source": source,
        "title": title,
        "summary_path": f"finished_summaries/{source}/{title}/overview.txt",
        "book_path": f"all_chapterized_books/{bid}-chapters/book_clean.txt",
    }


TRAIN = [
    chapter("7", "Dr. Lamp", "chapter 1", "01"),
    chapter("7", "Dr. Lamp", "chapter 1", "01", source="other"),
    chapter("7", "Dr. Lamp", "chapters 2-3", "chapters_2_to_3"),
    chapter("7", "Dr. Lamp", "chapter 4", "04", is_aggregate=True),
    chapter("8", "The Life of Anne Sea", "chapter 1", "01"),
]
TEST = [
    chapter("9", "Anne Sea", "chapter 1", "01", summary_id="chapter 2: the sea"),
    chapter("9", "Anne Sea", "chapter 5", "05"),
]
WHOLE = [whole("7", "Dr. Lamp"), whole("10", "Storm")]


def write(folder: Path, name: str, lines: list[dict[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    text = "\n".join(map(json.dumps, lines))
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "booksum"
    write(folder, "chapter_summary_aligned_train_split.jsonl.gz", TRAIN)
    write(folder, "chapter_summary_aligned_test_split.jsonl", TEST)
    write(folder, "book_summaries_aligned_val.jsonl.gz", WHOLE)
    (folder / "LICENSE").write_text("free")
    return folder


def test_rows(data: Path) -> None:
    rows = read_alignment(data)
    assert len(rows) == len(TRAIN) + len(TEST) + len(WHOLE)
    row = next(row for row in rows if row.source == "other")
    assert (row.split, row.level, row.bid) == (DataSplit.TRAIN, SummaryLevel.CHAPTER, "7")
    assert (row.title, row.section) == ("Dr. Lamp", "chapter 1")
    assert {row.title for row in rows if row.level is SummaryLevel.BOOK} == {"Dr. Lamp", "Storm"}


def test_counts_by_hand(data: Path) -> None:
    rows = read_alignment(data)
    by = {(each.group, each.level): each for each in counts.by_split(rows)}
    train = by["train", SummaryLevel.CHAPTER]
    assert (train.examples, train.books, train.texts, train.aggregates) == (5, 2, 4, 2)
    everything = by["all", SummaryLevel.CHAPTER]
    assert (everything.examples, everything.books, everything.texts) == (7, 3, 6)
    assert ("train", SummaryLevel.BOOK) not in by
    sources = {each.group: each.examples for each in counts.by_source(rows) if each.level == "chapter"}
    assert sources == {"guide": 6, "other": 1}


def test_oddities(data: Path) -> None:
    odd = counts.oddities(read_alignment(data))
    assert odd.whole_only == ("10",)
    assert (odd.flagged, odd.unflagged) == (1, 0)
    assert odd.spellings == 4
    assert odd.single == 4  # one is of two chapters, one is wrongly called aggregate


def test_books_in_two_splits_are_told(data: Path) -> None:
    found = check_splits(read_alignment(data))
    assert found.within == {SummaryLevel.CHAPTER: 0, SummaryLevel.BOOK: 0}
    (shared,) = found.shared
    assert shared.bid == "7"
    assert shared.examples == {"train, chapter level": 4, "validation, book level": 1}
    (pair,) = found.suspected
    assert set(pair.titles) == {"The Life of Anne Sea", "Anne Sea"}
    assert check_splits([row for row in read_alignment(data) if row.split == "test"]).suspected == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"source": "elsewhere"}, "own source"),
        ({"book_id": "Lamp.chapter 1"}, "does not begin with the title"),
        ({"is_aggregate": "no"}, "true or false"),
        ({"bid": ""}, "`bid`"),
    ],
)
def test_invalid_lines_are_told(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    write(tmp_path, "chapter_summary_aligned_val_split.jsonl", [TRAIN[0], TRAIN[0] | change])
    with pytest.raises(DataInvalid, match=f"line 2: .*{why}"):
        read_alignment(tmp_path)


def test_folders_without_the_files_and_damaged_ones(tmp_path: Path) -> None:
    with pytest.raises(DataInvalid, match="no alignment files"):
        read_alignment(tmp_path)
    broken = tmp_path / "book_summaries_aligned_val.jsonl.gz"
    broken.write_bytes(b"not gzip")
    with pytest.raises(DataInvalid, match="cannot be read"):
        read_alignment(tmp_path)
    write(tmp_path, broken.name, WHOLE)
    write(tmp_path, "book_summaries_aligned_val.jsonl", WHOLE)
    with pytest.raises(DataInvalid, match="the same part"):
        read_alignment(tmp_path)
