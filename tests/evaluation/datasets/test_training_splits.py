"""Whole books are assigned to a split, and nothing is in two splits."""

from __future__ import annotations

from collections import Counter

import pytest

from evaluation.datasets.splits import Known, normalised, place
from generation.training.errors import TrainingLeak
from generation.training.types import DataSplit, TrainingSample
from generation.types import Task


def known(
    title: str, *, split: str | None = None, text: str | None = None, said: str = "", line: int = 1
) -> Known:
    reference = said or f"{title}: number {line}."
    sample = TrainingSample(
        line, "id", ("Ann",), Task.DESCRIPTION, reference, DataSplit(split) if split else None
    )
    return sample, title, text or f"sha of {title}"


def of(count: int, *, each: int = 2) -> list[Known]:
    return [known(f"Novel {n}", line=n * each + at) for n in range(count) for at in range(each)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Forsyte Saga", "forsyte saga"),
        ("Frankenstein; Or, The Modern Prometheus", "Frankenstein"),
        ("Les Misérables", "LES MISERABLES"),
        ("Middlemarch: A Study of Provincial Life", "Middlemarch"),
        ("Moby-Dick", "Moby Dick"),
        ("The Hobbit, or There and Back Again", "The Hobbit"),
        ("Emma (Volume 1)", "Emma"),
    ],
)
def test_one_title_however_it_is_written(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(("one", "other"), [("Emma", "Emmeline"), ("Orlando", "Or"), ("A", "The A B C")])
def test_other_titles_are_others(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)
    assert normalised(one)


def test_books_are_dealt_whole_by_the_seed() -> None:
    placed = place(of(20), seed=1)
    splits = {each.title: each.split for each in placed}
    assert all(each.split is splits[each.title] for each in placed)
    assert Counter(splits.values()) == {DataSplit.TRAIN: 16, DataSplit.VALIDATION: 2, DataSplit.TEST: 2}
    assert place(of(20), seed=1) == placed
    assert place(of(20), seed=2) != placed


@pytest.mark.parametrize(
    ("count", "dealt"), [(1, (1, 0, 0)), (2, (1, 1, 0)), (3, (1, 1, 1)), (4, (2, 1, 1)), (30, (24, 3, 3))]
)
def test_how_few_books_are_dealt(count: int, dealt: tuple[int, int, int]) -> None:
    splits = Counter(each.split for each in place(of(count, each=1), seed=3))
    assert tuple(splits[split] for split in DataSplit) == dealt


def test_what_says_its_split_stays_and_takes_its_book_along() -> None:
    books = [
        *of(5),
        known("Emma", split="test"),
        known("emma", line=2),
        known("Novel 0", split="train", line=9),
    ]
    splits = {each.title: each.split for each in place(books, seed=1)}
    assert splits["Emma"] is splits["emma"] is DataSplit.TEST
    assert splits["Novel 0"] is DataSplit.TRAIN


def test_a_title_in_two_splits_is_refused_by_name() -> None:
    with pytest.raises(TrainingLeak, match="“The Emma” / “EMMA: A Novel” is in train and test"):
        place([known("The Emma", split="train"), known("EMMA: A Novel", split="test")], seed=1)


def test_a_text_under_two_titles_is_one_book() -> None:
    one, other = known("Emma", text="same"), known("Highbury", text="same", line=2)
    first, second, *_ = place([one, other, *of(9)], seed=1)
    assert first.split is second.split
    pair = [known("Emma", text="same", split="train"), known("Highbury", text="same", split="validation")]
    with pytest.raises(TrainingLeak, match="“Emma” / “Highbury” is in train and validation"):
        place(pair, seed=1)


def test_a_reference_in_two_splits_is_refused_with_its_lines() -> None:
    one = known("Emma", split="train", said="She is   clever.", line=4)
    other = known("Persuasion", split="test", said="she is clever.", line=8)
    with pytest.raises(TrainingLeak, match=r"lines 4, 8 is in train and test: “she is clever\.”"):
        place([one, other], seed=1)


def test_the_same_reference_in_one_split_is_none_of_our_business() -> None:
    one = known("Emma", split="train", said="Both.", line=4)
    assert len(place([one, known("Persuasion", split="train", said="Both.", line=5)], seed=1)) == 2
