"""`bookworm correct` does what the API does, and refuses what lacks something or would be ignored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.cli.exits import Exit
from tests.cli.conftest import Bookworm, Ran


@pytest.fixture
def correct(bookworm: Bookworm, own: Path, book: str) -> Any:
    def call(*arguments: str, command: str = "correct") -> Ran:
        return bookworm(command, book, *arguments, data_dir=own)

    return call


def names(correct: Any) -> set[str]:
    return {c["name"] for c in correct("--json", command="characters").json["items"]}


def test_a_dry_run_is_the_preview_of_the_api(correct: Any) -> None:
    wanted = ("rename", "Peter", "--name", "Captain Briggs", "--dry-run")
    before = names(correct)
    shown = correct(*wanted)
    assert "Mr. Peter Lowe → Captain Briggs" in shown.out
    assert "This name already means Captain Briggs (10 mentions)." in " ".join(shown.err.split())
    assert [c["name"] for c in correct(*wanted, "--json").json["namesakes"]] == ["Captain Briggs"]
    assert names(correct) == before


def test_corrections_of_each_sort(correct: Any) -> None:
    made = correct("rename", "Mr. Lowe", "--name", "Peter Lowe", "--json").json
    assert (made["number"], made["kind"], made["name"]) == (1, "rename", "Peter Lowe")
    assert "new → Cap" in correct("split", "Captain Briggs", "--alias", "the Captain", "--name", "Cap").out
    moved = correct("mention", "Cap", "--other", "Captain Briggs", "--alias", "Captain Briggs", "--in", "2")
    assert "Captain Briggs → Cap" in moved.out
    assert "This is correction 3." in moved.err
    assert {"Peter Lowe", "Cap", "Captain Briggs"} <= names(correct)
    assert "Margaret Lowe → removed" in correct("hide", "Margaret").out
    undone = correct("undo", "--undoes", "2", "--dry-run")
    assert "without an effect from now on: 3." in undone.err


def test_places(correct: Any) -> None:
    quotes = correct("speaker", "Peter", "--in", "p:7", "--json").json["spans"]
    assert len(quotes) == 2
    start, end = quotes[0]["start"], quotes[0]["end"]
    assert correct("speaker", "--in", f"{start}:{end}", "--json").json["spans"] == quotes[:1]
    listed = correct("--json", command="corrections").json["items"]
    assert [(c["kind"], c["character_name"]) for c in listed] == [
        ("speaker", "Mr. Peter Lowe"),
        ("speaker", None),
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ("rename Peter", Exit.USAGE, "rename needs NAME, --name."),
        ("split Peter --name X", Exit.USAGE, "split needs NAME, --name, --alias or --in."),
        ("hide Peter --alias Lowe", Exit.USAGE, "hide does not take --alias."),
        ("narrator Peter --name X", Exit.USAGE, "but not both"),
        ("speaker Peter --in p:4", Exit.USAGE, "no quote begins in p:4."),
        ("mention Peter --other Margaret --in 9:5", Exit.USAGE, "neither a chapter nor a paragraph"),
        ("mention Peter --in 2", Exit.USAGE, "mention needs --other or --alias"),
        ("mention Peter --other Margaret --in 99", Exit.USAGE, "There is no chapter 99."),
        ("praise Peter", Exit.USAGE, "rename"),
        ("hide Nobody", Exit.NOT_FOUND, "Nobody"),
        ("hide Peter --upto p:1", Exit.NOT_FOUND, "has not appeared"),
        ("merge Lowe --other Peter", Exit.AMBIGUOUS, "Margaret"),
    ],
)
def test_what_cannot_be_corrected(correct: Any, arguments: str, status: Exit, words: str) -> None:
    ran = correct(*arguments.split())
    assert ran.status == status, ran.err
    assert words in " ".join(ran.err.split())
    assert correct("--json", command="corrections").json["items"] == []
