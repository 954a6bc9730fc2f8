"""`bookworm summarise`, `recap` and `timeline`."""

from __future__ import annotations

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


def test_a_summary(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("summarise", book).out
    assert shown.startswith("The story: summary in ")
    assert "[ch. 1]" in shown
    assert "PRISMA" not in shown, "quotations that tell the story are not checked"
    told = bookworm("summarise", book, "--json").json
    assert told["task"] == "summary"


def test_a_chapter(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("summarise", book, "--chapter", "1").out
    assert shown.startswith("Chapter 1: summary in ")
    assert bookworm("summarise", book, "--chapter", "9").status == Exit.NOT_FOUND


def test_a_recap(bookworm: Bookworm, book: str) -> None:
    shown = bookworm("recap", book, "--upto", "1").out
    assert "in the chapters you have read" in shown
    assert "Where you stopped: chapter 1" in shown


def test_a_timeline(bookworm: Bookworm, book: str) -> None:
    items = bookworm("timeline", book, "--json").json["items"]
    shown = bookworm("timeline", book).out
    assert [i["chapter"] for i in items] == list(range(1, len(items) + 1))
    for item in items:
        assert item["title"] in shown
    assert any(item["people"] for item in items)
    for people in (", ".join(p["name"] for p in item["people"]) for item in items):
        assert f"     {people}" in shown


def test_a_language_model(bookworm: Bookworm, book: str) -> None:
    scripted = ("--generator", "scripted-model", "--words", "30", "--chunk", "150")
    planned = bookworm("summarise", book, *scripted, "--dry-run").out
    assert "calls" in planned
    done = bookworm("summarise", book, *scripted, "--stream")
    assert "Cost:" in done.out
    assert "parts" in done.err
    assert "one after the other" in bookworm("recap", book, *scripted, "--strategy", "incremental").out


def test_a_strategy_without_a_language_model_is_refused_with_what_helps(
    bookworm: Bookworm, book: str
) -> None:
    refused = bookworm("summarise", book, "--generator", "offline", "--strategy", "incremental")
    assert refused.status != 0
    assert "Omit the strategy" in refused.err
    for command in ("summarise", "recap"):
        told = bookworm(command, "--help").out
        assert "incremental" in told
        assert "no-context" not in told
