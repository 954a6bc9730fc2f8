"""`bookworm evaluate portraits` on the project's own novella: from a folder and references to a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer import BadParameter

from coref.errors import ResolverUnavailable
from evaluation.commands.dataset import DatasetInvalid
from evaluation.commands.portraits import PortraitsImpossible
from evaluation.portraits.cases import own_references
from evaluation.portraits.novella import FILE
from tests.evaluation.command import printed
from tests.failing import fails

Command = Callable[..., Any]


@pytest.fixture
def references(tmp_path: Path) -> Path:
    """Two descriptions of the novella's gold."""
    [gold] = [path for path in own_references() if path.name == FILE]
    lines = [line for line in gold.read_text("utf-8").splitlines() if '"description"' in line]
    path = tmp_path / "references.jsonl"
    path.write_text("\n".join(line for line in lines if "Farrow" in line or "Lady Vance" in line), "utf-8")
    return path


@pytest.fixture
def command(tmp_path: Path, references: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    (tmp_path / "books").mkdir()

    def run(*arguments: str, given: Path = references) -> Any:
        common = ("--books", tmp_path / "books", "--references", given, "--out", tmp_path / "out")
        engines = ("--resolver", "rules", "--embedder", "hashing", "--metrics", "rouge")
        return printed(capsys, "portraits", *common, *engines, *arguments)

    return run


def mean(told: Any, system: str, column: str) -> float:
    [row] = [row for row in told["tables"][0]["rows"] if row["system"] == system]
    return float(row["cells"][column]["interval"]["mean"])


def test_the_oracle_beats_lead_and_random(command: Command, tmp_path: Path) -> None:
    told = command("--systems", "lead,random,oracle", "--against", "lead")
    for column in ("rouge1", "rouge2", "rougeL"):
        assert mean(told, "oracle", column) > max(mean(told, "lead", column), mean(told, "random", column))
    assert told["made_of"]["resolver"].startswith("rules")
    assert told["made_of"]["answers"] == 3 * told["tables"][0]["samples"]
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "answers.jsonl", "scores.jsonl", "report.md", "report.html", "report.csv", "run.json", "work",
    }  # fmt: skip
    kept = (out / "answers.jsonl").read_bytes(), (out / "scores.jsonl").read_bytes()
    again = command("--systems", "lead,random,oracle", "--against", "lead")
    assert again["tables"] == told["tables"]
    assert ((out / "answers.jsonl").read_bytes(), (out / "scores.jsonl").read_bytes()) == kept


@pytest.mark.soak
def test_options_have_their_effects(command: Command) -> None:
    four = command("--systems", "lead,random")
    assert four["made_of"]["against"] is None
    one = command("--systems", "lead", "--description-sentences", "1")
    assert one["tables"][0]["rows"][0]["words"] < four["tables"][0]["rows"][0]["words"]
    other = command("--systems", "random", "--seed", "5")
    assert mean(other, "random", "rouge1") != mean(four, "random", "rouge1")
    by_book = command("--systems", "lead", "--drawn", "books")
    assert by_book["tables"][0]["rows"][0]["cells"]["rouge1"]["interval"]["units"] == 1


@pytest.mark.soak
def test_a_language_model_and_its_length(command: Command) -> None:
    told = command("--systems", "bm25,no-context", "--generator", "scripted-model")
    assert all(row["tokens"] > 0 for row in told["tables"][0]["rows"])
    assert told["made_of"]["systems"]["bm25"]["generator"].startswith("scripted-model")
    assert told["made_of"]["systems"]["bm25"]["words"] == 90
    short = command("--systems", "bm25", "--generator", "scripted-model", "--description-words", "30")
    assert short["made_of"]["systems"]["bm25"]["words"] == 30


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        (("--systems", "lead,nobody"), BadParameter, "no system `nobody`"),
        (("--systems", "bm25"), BadParameter, "needs a language model"),
        (("--systems", ","), BadParameter, "No system"),
        (("--systems", "lead", "--against", "oracle"), BadParameter, "not one of the chosen systems"),
        (("--systems", "lead", "--metrics", "taste"), BadParameter, "taste"),
    ],
)
def test_what_cannot_be_asked(
    command: Command, arguments: tuple[str, ...], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        command(*arguments)


def test_a_resolver_that_there_is_not(command: Command) -> None:
    with fails(ResolverUnavailable, match="nobody"):
        command("--systems", "lead", "--resolver", "nobody")


def test_bad_references(command: Command, tmp_path: Path) -> None:
    given = tmp_path / "bad.jsonl"
    given.write_text('{"id": 1}\n')
    with pytest.raises(DatasetInvalid, match="line 1: `book`"):
        command("--systems", "lead", given=given)
    line = {"id": 1, "book": "Nowhere", "author": "A", "character": "B", "description": "x", "source": "s"}
    given.write_text(json.dumps(line))
    with pytest.raises(PortraitsImpossible, match="None of the references"):
        command("--systems", "lead", given=given)
    line |= {"book": "Low Water at Wickersea", "character": "Zenobia"}
    given.write_text(json.dumps(line))
    with pytest.raises(PortraitsImpossible, match=r"No answer was generated: .*Zenobia"):
        command("--systems", "lead", given=given)
