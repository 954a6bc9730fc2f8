"""`bookworm ask`."""

from __future__ import annotations

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


def test_an_answer(bookworm: Bookworm, book: str) -> None:
    told = bookworm("ask", book, "Who is Margaret?", "--json").json
    assert told["task"] == "question"
    assert [p["name"] for p in told["characters"]] == ["Margaret"] or told["characters"]
    shown = bookworm("ask", book, "Who is Margaret?").out
    assert shown.startswith("Who is Margaret?")
    assert told["sentences"][0]["text"].split()[0] in shown


def test_those_of_the_question_before(bookworm: Bookworm, book: str) -> None:
    (person,) = bookworm("ask", book, "Who is Margaret?", "--json").json["characters"]
    told = bookworm("ask", book, "And why?", "--about", person["id"], "--json").json
    assert [p["id"] for p in told["characters"]] == [person["id"]]


def test_a_model_says_what_it_will_cost(bookworm: Bookworm, book: str) -> None:
    planned = bookworm("ask", book, "Who came?", "--generator", "scripted-model", "--dry-run").out
    assert planned.startswith("Who came?: question, not generated.")
    assert "At most 1 call" in planned


def test_no_question(bookworm: Bookworm, book: str) -> None:
    assert bookworm("ask", book, "  ").status == Exit.USAGE


def test_all_books_are_asked(bookworm: Bookworm) -> None:
    (book,) = bookworm("books", "--json").json["items"]
    found = bookworm("ask", "all", "Who is Captain Briggs?", "--json").json
    assert [a["book"] for a in found["answers"]] == [book["id"]], "it has this person"
    shown = bookworm("ask", "all", "Who is Captain Briggs?", "--stream")
    assert shown.status == 0
    assert found["answers"][0]["text"].split(".")[0] in shown.err
    silent = bookworm("ask", "all", "Why was the emerald stolen?", "--stream")
    assert "Books that do not say: 1." in silent.err


def test_some_books_are_asked_as_far_as_they_have_been_read(bookworm: Bookworm, book: str) -> None:
    asked = ("ask", "all", "Who is Captain Briggs?", "--json")
    (title,) = (record["title"] for record in bookworm("books", "--json").json["items"])
    found = bookworm(*asked, "--book", title, "--upto", f"{book}=1").json
    assert {a["book"] for a in found["answers"]} | {b["id"] for b in found["silent"]} == {book}
    cited = [c for a in found["answers"] for s in a["sentences"] for c in s["citations"]]
    assert {c["chapter"] for c in cited} <= {1}
    planned = bookworm(*asked, "--book", book, "--dry-run").json
    assert {p["book"] for p in planned["plans"]} | {b["id"] for b in planned["silent"]} == {book}


@pytest.mark.parametrize("question", [" ?", 500 * "why "])
def test_what_is_no_question_is_refused(bookworm: Bookworm, book: str, question: str) -> None:
    assert bookworm("ask", book, question).status == Exit.USAGE


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("all", "--upto", "1"), Exit.USAGE),
        (("all", "--about", "Briggs"), Exit.USAGE),
        (("BOOK", "--book", "BOOK"), Exit.USAGE),
        (("BOOK", "--upto", "1", "--upto", "2"), Exit.USAGE),
        (("all", "--upto", "none=1"), Exit.NOT_FOUND),
        (("all", "--book", "none"), Exit.NOT_FOUND),
        (("all", "--book", "BOOK", "--upto", "BOOK=99"), Exit.USAGE),
    ],
)
def test_what_does_not_fit(bookworm: Bookworm, book: str, options: tuple[str, ...], status: Exit) -> None:
    where, *how = (each.replace("BOOK", book) for each in options)
    assert bookworm("ask", where, "Who is Captain Briggs?", *how).status == status
