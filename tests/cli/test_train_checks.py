"""What the training commands are given is checked before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from service.cli.exits import Exit
from service.cli.train import train
from tests.cli.conftest import Bookworm

WRITING = {
    name: found
    for name, command in vars(get_command(train))["commands"].items()
    for found in command.params
    if {"--output", "--to"} & {*found.opts}
}


@pytest.mark.parametrize("name", WRITING)
def test_what_cannot_be_written_is_refused_at_once(bookworm: Bookworm, tmp_path: Path, name: str) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    other_kind = tmp_path if WRITING[name].metavar == "FILE" else file
    for to in (other_kind, file / "below"):
        ran = bookworm("train", name, WRITING[name].opts[0], str(to))
        assert ran.status == Exit.USAGE
        assert WRITING[name].opts[0] in ran.err
        assert "issing" not in ran.err


@pytest.mark.parametrize("part", ["questions", "ranker", "words", "reading"])
def test_the_places_of_answers_are_not_learnt_without_novels(
    bookworm: Bookworm, tmp_path: Path, part: str
) -> None:
    options = ("--novels", str(tmp_path), "--output", str(tmp_path / "to"), "--part", part)
    ran = bookworm("train", "asking", *options)
    assert ran.status == Exit.ERROR
    assert "the text of none of the novels" in ran.err


def test_there_are_no_other_parts_of_what_finds_answers(bookworm: Bookworm, tmp_path: Path) -> None:
    to = tmp_path / "to"
    ran = bookworm("train", "asking", "--novels", str(tmp_path), "--output", str(to), "--part", "nosuch")
    assert ran.status == Exit.USAGE
    assert "nosuch" in ran.err
    assert not to.exists()


@pytest.mark.parametrize(
    ("only", "lacking"), [("o_pioneers", "chosen by --only"), ("2489_moby_dick", "the text of none")]
)
def test_what_is_telling_is_not_learnt_from_no_novels(
    bookworm: Bookworm, tmp_path: Path, only: str, lacking: str
) -> None:
    options = ("--novels", str(tmp_path), "--output", str(tmp_path / "to"), "--only", only)
    ran = bookworm("train", "telling", *options)
    assert ran.status == Exit.ERROR
    assert lacking in ran.err


def test_one_part_of_the_categories_is_none(bookworm: Bookworm, tmp_path: Path) -> None:
    ran = bookworm("train", "categories", "--output", str(tmp_path / "to"), "--folds", "1")
    assert ran.status == Exit.USAGE
    assert "--folds" in ran.err
