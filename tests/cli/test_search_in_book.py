"""`bookworm search --book`."""

from __future__ import annotations

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


def test_words_in_a_book(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("search", "lamp", "--book", book).out
    found = bookworm("search", "lamp", "--book", book, "--json").json
    assert f"{found['total']} in all." in shown
    assert shown.count("ch. 2  ") == found["by_chapter"][1]
    assert bookworm("search", "lamp", "--book", book, "--upto", "1", "--json").json["by_chapter"] == [1]


def test_nothing(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("search", "stoorm rope", "--book", book).out
    assert "Nothing has all of these words." in shown
    assert "stoorm: 0. Similar: storm." in shown
    assert "rope: 2." in shown


def test_a_retriever_lists_what_matches_best(bookworm: Bookworm, book: str) -> None:
    ranked = bookworm("search", "stoorm rope", "--book", book, "--retriever", "bm25").out
    assert "by bm25" in ranked


def test_a_book_before_the_words(bookworm: Bookworm, book: str) -> None:
    ran = bookworm("search", book, "the", "lamp")
    assert ran.status == Exit.USAGE
    assert "give a book as --book BOOK." in ran.err
    assert bookworm("search", "lamp", "--boook", book).status == Exit.USAGE
