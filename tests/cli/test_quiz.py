"""`bookworm quiz`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from evaluation import novella
from generation import registry
from generation.models.scripted_model import ScriptedModel
from generation.writing.writer import PortraitWriter
from service.cli import output
from service.cli.app import run
from service.cli.exits import Exit
from tests.cli.conftest import Bookworm, Ran
from tests.http.test_quiz import OTHER

Quiz = Callable[..., Ran]


@pytest.fixture(scope="module")
def wickersea(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the novella, another edition of it and another work."""
    folder = tmp_path_factory.mktemp("wickersea")
    again = novella.text().replace("Bess", "Rose").replace("Nuttall", "Partridge")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOKWORM_EMBEDDER", "hashing")
        patch.setenv("BOOKWORM_RESOLVER", "rules")
        for name, text in (("wickersea", novella.text()), ("again", again), ("other", OTHER)):
            path = folder / f"{name}.txt"
            path.write_text(text, "utf-8")
            assert run(["--data-dir", str(folder / "data"), "ingest", str(path), "--json"]) == 0
    return folder


@pytest.fixture
def quiz(bookworm: Bookworm, wickersea: Path) -> Quiz:
    return partial(bookworm, "quiz", str(wickersea / "wickersea.txt"), data_dir=wickersea / "data")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "at_terminal", lambda: True)


@pytest.mark.usefixtures("terminal")
def test_questions_are_asked_and_answered(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = quiz("--count", "3", "--json").json["questions"]
    answers = [str(question["answer"] + 1) for question in asked[:2]]
    wrong = str(1 + (asked[2]["answer"] + 1) % (len(asked[2]["choices"]) + 1))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(["99", *answers, wrong, ""])))
    shown = quiz("--count", "3").out
    assert shown.count("None of these.") == 3
    assert shown.count("Right.") == 2
    assert f"No, it is {asked[2]['answer'] + 1}." in shown
    assert "2 of 3 right." in shown


def test_fewer_questions_than_asked_for_are_told_to_be_fewer(quiz: Quiz) -> None:
    made = len(quiz("--count", "50", "--upto", "3", "--json").json["questions"])
    assert 0 < made < 50
    assert quiz("--count", "50", "--upto", "3").err == f"There is enough for {made} of 50 questions.\n"
    assert quiz("--count", "1").err == ""


@pytest.mark.usefixtures("terminal")
def test_an_input_that_ends_is_an_error(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    ran = quiz("--count", "1")
    assert (ran.status, ran.err) == (Exit.ERROR, "The input ended before the answer.\n")


@pytest.mark.usefixtures("terminal")
def test_summaries_are_corrected(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    (task, *_) = quiz("--corrections", "--count", "1", "--json").json["corrections"]
    monkeypatch.setattr("sys.stdin", io.StringIO("It was somebody else.\n"))
    shown = " ".join(quiz("--corrections", "--count", "1").out.split())
    assert " ".join(task["given"].split()) in shown
    assert f"The book: {' '.join(task['right'].split())}" in shown


def test_without_a_terminal_the_answers_stand_below_the_questions(quiz: Quiz) -> None:
    asked = quiz("--count", "2", "--json").json["questions"]
    questions, _, answers = quiz("--count", "2").out.partition("Answers\n")
    assert questions.count("None of these.") == 2
    for number, (question, line) in enumerate(zip(asked, answers.splitlines(), strict=True), 1):
        assert line.startswith(f"{number}. {question['answer'] + 1}.")
    (task, *_) = quiz("--corrections", "--count", "1", "--json").json["corrections"]
    _, _, answers = quiz("--corrections", "--count", "1").out.partition("Answers\n")
    assert " ".join(task["right"].split()) in " ".join(answers.split())


def test_what_was_read_long_ago_is_asked_about(quiz: Quiz) -> None:
    near, far = (
        [q["load_words"] for q in quiz("--load", load, "--json").json["questions"] if q["place"]]
        for load in ("near", "far")
    )
    assert max(near) < min(far)
    assert quiz("--load", "far", "--corrections").status == Exit.USAGE


def test_questions_are_written_to_a_file(quiz: Quiz, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    told = quiz("--export", str(file), "--count", "2", "--upto", "6").err
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert f"{len(rows)} questions written to {file}." in " ".join(told.split("\n"))
    assert {row["chapter"] for row in rows} <= set(range(1, 7))
    assert len({row["chapter"] for row in rows}) > 3
    for row in rows:
        assert row["options"][-1] == "None of these."
        assert row["answer"] == (
            row["why_wrong"].index(None) if None in row["why_wrong"] else len(row["why_wrong"])
        )
    fewer = quiz("--export", str(file), "--count", "2", "--upto", "4", "--json").json
    assert fewer == {"file": str(file), "questions": len(file.read_text("utf-8").splitlines())}
    assert 0 < fewer["questions"] < len(rows)
    assert quiz("--export", str(file), "--corrections").status == Exit.USAGE
    lost = quiz("--export", str(tmp_path / "none" / "file"), "--upto", "1")
    assert lost.status == Exit.ERROR
    assert "file_trouble" in lost.err


def test_summaries_are_written_by_a_model(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(["Bess keeps the key.", "Bess loses the key."])
    monkeypatch.setitem(registry.GENERATORS, "scripted-model", lambda _: PortraitWriter(model))
    written = ("--generator", "scripted-model", "--count", "1", "--json")
    (task,) = quiz("--corrections", "--level", "book", *written).json["corrections"]
    assert (task["given"], task["right"]) == ("Bess loses the key.", "Bess keeps the key.")
    (quoted,) = quiz("--corrections", "--generator", "offline", "--count", "1", "--json").json["corrections"]
    assert quoted["given"] != task["given"]
    assert quiz("--generator", "scripted-model").status == Exit.USAGE


def test_summaries_cover_what_is_asked_for(quiz: Quiz) -> None:
    for level in ("scene", "chapter", "book"):
        (task, *_) = quiz("--corrections", "--level", level, "--json").json["corrections"]
        assert task["level"] == level
    assert quiz("--corrections", "--json").json == quiz("--corrections", "--level", "chapter", "--json").json
    refused = quiz("--level", "book")
    assert (refused.status, "It needs --corrections." in refused.err) == (Exit.USAGE, True)


def test_wrong_choices_of_a_set_are_from_other_works_too(quiz: Quiz, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    assert quiz("--export", str(file), "--count", "4").status == Exit.OK
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    lent = [
        option
        for row in rows
        for option, why in zip(row["options"], row["why_wrong"], strict=False)
        if why == "other_book"
    ]
    assert lent
    assert all("came to the door with the lamp" in text for text in lent), "nothing is from the edition"
    assert not any("Rose" in text or "Tucker" in text for text in lent)
