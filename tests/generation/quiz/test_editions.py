"""Another edition of a book is known by its title and author, or by its text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.gate import cut
from books.reading import read
from books.types import Book
from evaluation import novella
from generation.quiz.editions import same_work

SPELT = {"colour": "color", "grey": "gray", "Mr. ": "Mr ", "—": " - ", ", and": " and"}


@pytest.fixture(scope="module")
def book() -> Book:
    return replace(read(novella.text().encode(), name="novella.txt"), title="Low Water", author=None)


@pytest.mark.parametrize(
    ("title", "author", "same"),
    [
        ("2095 Low Water; or, the Bank", None, True),
        ("low water", "Ann Other", True),
        ("High Water", "Ann Other", False),
        ("Low Tide", None, False),
    ],
)
def test_a_work_is_known_by_its_title(book: Book, title: str, author: str | None, same: bool) -> None:
    other = read(b"Nobody slept that night, and in the morning it was too late to tell anybody of it.")
    assert same_work(book, replace(other, title=title, author=author)) is same
    assert same_work(replace(other, title=title, author=author), book) is same


def test_two_authors_have_two_works_of_one_title(book: Book) -> None:
    other = replace(read(b"Nobody slept that night."), title="Low Water", author="Ann Other")
    assert not same_work(replace(book, author="Bob Person"), other)
    assert same_work(replace(book, author="A. Other"), other)


def test_books_without_titles_are_not_alike(book: Book) -> None:
    one, other = (read(f"{text} that night, and none knew of it.".encode()) for text in ("I slept", "He ran"))
    assert one.title == other.title
    assert not same_work(one, other)


def test_a_work_is_known_by_its_text(book: Book) -> None:
    text = novella.text().replace("Bess", "Rose").replace("Nuttall", "Partridge")
    for was, now in SPELT.items():
        text = text.replace(was, now)
    edition = replace(read(text.encode()), title="The Bank of Wickersea", author="Somebody Else")
    assert same_work(book, cut(edition, len(edition.text) // 10))
