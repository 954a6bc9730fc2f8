"""The book that a text is about, and the split that it gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.datasets import shelf
from evaluation.datasets.pairing import pair, same_author
from evaluation.datasets.released_splits import read_released
from evaluation.datasets.splitting import leak, place, split_of
from evaluation.datasets.types import DataInvalid, DatasetEntry, Pair, ShelvedBook, Verified
from generation.training.types import DataSplit
from generation.types import Task

STORY = "Mr. Hale kept the lamp.\n\nHe was a patient man, and he said so.\n\n"


def entry(
    title: str, author: str | None = None, number: str = "0", *, text: str = "x", line: int = 1
) -> DatasetEntry:
    return DatasetEntry(line, number, title, author, "Anne", Task.DESCRIPTION, text, "somebody")


def book(title: str, author: str | None = None, number: str | None = None) -> ShelvedBook:
    return ShelvedBook(Path(f"{number}_{title}.txt"), title, author, number, f"text {number}")


def paired(asked: DatasetEntry, *books: ShelvedBook) -> Pair | str:
    found, missing = pair([asked], books)
    return found[asked.work] if found else missing[0].why


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("The Secret Garden", "secret garden"),
        ("Alice's Adventures in Wonderland", "alices adventures in wonderland"),
        ("Moby-Dick", "Moby Dick"),
        ("Les Misérables", "LES MISERABLES"),
        ("Frankenstein; Or, The Modern Prometheus", "Frankenstein"),
        ("Twelfth Night, Or What You Will", "Twelfth Night"),
        ("Emma (1816)", "Emma"),
        ("Emma, Illustrated Edition", "Emma"),
        ("Wall Street", "Wallstreet"),
    ],
)
def test_titles_that_are_one(asked: str, there: str) -> None:
    found = paired(entry(asked, "A. Writer"), book(there, "Ann Writer"))
    assert isinstance(found, Pair)
    assert found.verified is Verified.AUTHOR


@pytest.mark.parametrize("there", ["Emma Courtney", "Henry IV, Part 2", "The"])
def test_titles_that_are_not(there: str) -> None:
    assert paired(entry("Emma", "A. Writer"), book(there, "A. Writer")) == "no book of this title"
    assert paired(entry("Henry IV, Part 1", "A"), book("Henry IV, Part 2", "A")) == "no book of this title"


def test_a_title_that_only_begins_another_needs_a_witness() -> None:
    whale = book("moby dick or the whale", number="2489")
    assert isinstance(paired(entry("Moby Dick", "H. Melville", "2489"), whale), Pair)
    assert isinstance(paired(entry("Moby Dick", "H. M."), book("moby dick or the whale", "Hal M.")), Pair)
    assert "only the book by" in str(paired(entry("Moby Dick", "H. Melville", "1"), whale))


def test_another_author_is_another_book() -> None:
    found = paired(entry("The Awakening", "Kate Chopin"), book("The Awakening", "Leo Tolstoy"))
    assert found == "of this title there is only the book by Leo Tolstoy"


def test_number_and_title_of_an_unknown_author() -> None:
    numbered = paired(entry("Emma", "Jane Austen", "158"), book("emma", number="158"))
    assert isinstance(numbered, Pair)
    assert numbered.verified is Verified.NUMBER
    unknown = paired(entry("Emma", "Jane Austen", "7"), book("emma", number="158"))
    assert isinstance(unknown, Pair)
    assert unknown.verified is Verified.NOTHING


@pytest.mark.parametrize(
    "there",
    [
        book("The Lamp Keeper", "A. Writer", "98"),
        book("the lamp of the coast", number="98"),
        book("98", number="98"),
    ],
    ids=["the author agrees", "a word of the title agrees", "nothing but a number"],
)
def test_the_number_comes_first(there: ShelvedBook) -> None:
    namesake = book("The Lamp", "A. Writer", "12")
    found = paired(entry("The Lamp", "Ann Writer", "98"), namesake, there)
    assert isinstance(found, Pair)
    assert found.book is there


@pytest.mark.parametrize(
    "there",
    [book("The Lamp", "Hal Baker", "98"), book("a history of tides", number="98")],
    ids=["another author", "another title"],
)
def test_a_number_alone_is_not_enough(there: ShelvedBook) -> None:
    assert isinstance(paired(entry("The Lamp", "Ann Writer", "98"), there), str)
    namesake = book("The Lamp", "A. Writer", "12")
    found = paired(entry("The Lamp", "Ann Writer", "98"), namesake, there)
    assert isinstance(found, Pair)
    assert found.book is namesake


def test_of_several_the_one_that_is_sure() -> None:
    other, sure = book("emma", number="9"), book("emma", "Austen, Jane", "158")
    found = paired(entry("Emma", "Jane Austen"), other, sure)
    assert isinstance(found, Pair)
    assert found.book is sure
    assert "none says who wrote it" in str(paired(entry("Emma"), other, book("emma", number="10")))
    editions = [book("emma", "Jane Austen", "1"), book("emma", "Jane Austen", "2")]
    found = paired(entry("Emma", "Jane Austen", "2"), *editions)
    assert isinstance(found, Pair)
    assert found.book is editions[1]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Jane Austen", "Austen, Jane, 1775-1817", True),
        ("J. Austen", "Jane Austen", True),
        ("Austen", "Jane Austen", True),
        ("Charlotte Brontë", "Charlotte Bronte", True),
        ("Charlotte Brontë", "Emily Brontë", False),
        ("C. Bronte", "E. Bronte", False),
        ("L. M. Montgomery", "Lucy Maud Montgomery", True),
        ("Sir Arthur Conan Doyle", "Doyle, Arthur Conan", True),
        ("Conan Doyle", "Arthur Conan Doyle", True),
        ("Homer", "Homer", True),
        ("Homer", "Virgil", False),
        ("John Smith", "Jane Smith", False),
        ("Karl Marx and Friedrich Engels", "Friedrich Engels", True),
        ("?", "?", False),
    ],
)
def test_authors(one: str, other: str, same: bool) -> None:
    assert same_author(one, other) is same
    assert same_author(other, one) is same


def test_a_folder_of_books(tmp_path: Path) -> None:
    (tmp_path / "105_the_lamp.txt").write_text(STORY)
    (tmp_path / "1984.txt").write_text(STORY)
    (tmp_path / "98").mkdir()
    (tmp_path / "98" / "book.txt").write_text(STORY)
    (tmp_path / "98" / "book_cleaned.txt").write_text(STORY)
    (tmp_path / "notes.csv").write_text("a,b")
    (tmp_path / "empty.txt").write_text("")
    books, unread = shelf.shelved(shelf.files(tmp_path))
    assert [(b.number, b.title) for b in books] == [("105", "the lamp"), ("1984", "1984"), ("98", "98")]
    assert books[2].path.name == "book_cleaned.txt"
    assert [path.name for path in unread] == ["empty.txt"]


def test_a_split_depends_on_nothing_but_seed_and_title() -> None:
    titles = [f"Book {n}" for n in range(2000)]
    splits = {title: split_of(title, seed=1) for title in titles}
    shares = {split: sum(s is split for s in splits.values()) / len(titles) for split in DataSplit}
    assert shares[DataSplit.TRAIN] == pytest.approx(0.8, abs=0.03)
    assert shares[DataSplit.VALIDATION] == pytest.approx(0.1, abs=0.03)
    assert shares[DataSplit.TEST] == pytest.approx(0.1, abs=0.03)
    assert any(splits[title] is not split_of(title, seed=2) for title in titles)
    assert split_of("The Book 7: a Romance", seed=1) is splits["Book 7"]
    # Splits must never change: results are compared over years.
    assert [split_of(title, seed=1).value for title in titles[:12]] == EXPECTED


EXPECTED = [
    "train",
    "train",
    "train",
    "train",
    "test",
    "train",
    "validation",
    "test",
    "train",
    "train",
    "train",
    "test",
]


def released(folder: Path, **numbers: str) -> Path:
    for name, listed in numbers.items():
        task, split = name.split("_")
        (folder / task).mkdir(exist_ok=True)
        (folder / task / f"{split}.tsv").write_text(f"BookId\tTitle\n{listed}\tThe Lamp\n")
    return folder


def test_released_splits(tmp_path: Path) -> None:
    splits = read_released(released(tmp_path, description_test="7", description_val="8", analysis_train="7"))
    entries = [entry("The Lamp", number=number, line=int(number)) for number in ("7", "8", "9")]
    placed = place(entries, {}, seed=1, released=splits)
    assert [(p.sample.line, p.split) for p in placed] == [(7, DataSplit.TEST), (8, DataSplit.VALIDATION)]
    assert splits[Task.ANALYSIS, "7"] is DataSplit.TRAIN


def test_released_splits_must_make_sense(tmp_path: Path) -> None:
    with pytest.raises(DataInvalid, match="no splits"):
        read_released(tmp_path)
    with pytest.raises(DataInvalid, match="Book 7 is in two splits"):
        read_released(released(tmp_path, description_test="7", description_train="7"))
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "train.tsv").write_text("id\ttitle\n7\tThe Lamp\n")
    with pytest.raises(DataInvalid, match="no column BookId"):
        read_released(released(tmp_path, description_train="9"))


def test_two_titles_of_one_book_stay_together() -> None:
    ours = book("the lamp", "A. Writer", "1")
    titles = [f"Other title {n}" for n in range(30)]
    entries = [entry(title, "A. Writer", line=n) for n, title in enumerate(titles)]
    pairs = {each.work: Pair(ours, Verified.AUTHOR) for each in entries}
    assert len({each.split for each in place(entries, pairs, seed=1)}) == 1
    assert len({each.split for each in place(entries, {}, seed=1)}) == 3


def test_one_text_for_two_books_is_a_leak() -> None:
    titles = {split_of(t, seed=1): t for t in (f"Book {n}" for n in range(50))}
    one, other = (entry(titles[s], text="She keeps the lamp.") for s in (DataSplit.TRAIN, DataSplit.TEST))
    assert leak(place([one], {}, seed=1)) is None
    assert "train and test" in (leak(place([one, other], {}, seed=1)) or "")
