"""Lessons of which name readers use for somebody."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from coref import odds
from coref.names.display_names import FEATURES
from coref.types import Alias, Annotations, Character, CharacterKind
from evaluation.coref.display_lessons import NovelNames, lesson, story_of
from evaluation.corpus import casts
from evaluation.corpus.casts import NovelCast
from evaluation.portraits.workroom import Workroom
from service.cli.app import run
from tests.coref.conftest import make_book

TEXT = """Ann Lee came in. Ann sat down, and Ann sang. Poor Ann wept: a poor thing, my dear.

Mr. Hale laughed. Tom Hale was called Tom, and Tom
Hale was glad. The Swan is an inn.
"""
CAST = NovelCast(
    "novel",
    {"ann": "Ann (Ann Lee, a singer)", "tom": "Tom Hale (the smith)", "boy": "A boy"},
    (),
    {
        "Ann Lee": ("ann",), "Ann": ("ann",), "Poor Ann": ("ann",), "Nan": ("ann",),
        "Tom": ("tom",), "Tom Hale": ("tom",), "Mr. Hale": ("tom", "boy"), "The Swan": (),
    },
)  # fmt: skip


FOUND = (
    Character("ann", "Dear Ann", (Alias("Ann", 2, 17), Alias("Ann Lee", 1, 0), Alias("Dear Ann", 1, 40)),
              CharacterKind.PERSON, None, 4, 0),
    Character("tom", "Tom", (Alias("Tom", 3, 60),), CharacterKind.PERSON, None, 3, 60),
)  # fmt: skip


@pytest.fixture
def novel() -> NovelNames:
    return NovelNames(CAST, make_book(TEXT), FOUND)


def test_names_that_readers_list_are_counted_once_each(novel: NovelNames) -> None:
    assert novel.listed == [
        ("Ann Lee", {"Ann Lee": 1, "Ann": 2, "Poor Ann": 1}),
        ("Tom Hale", {"Tom": 1, "Tom Hale": 2}),
    ]


def test_names_that_were_found_may_be_no_names(novel: NovelNames) -> None:
    assert novel.found == [("Ann Lee", {"Ann": 2, "Ann Lee": 1, "Dear Ann": 1})]


def test_the_name_is_compared_with_each_other(novel: NovelNames) -> None:
    taught = lesson(novel)
    assert taught.rows.shape == (10, len(FEATURES))
    assert taught.true.tolist() == [True] * 5 + [False] * 5
    assert np.array_equal(taught.rows[:5], -taught.rows[5:])
    several = FEATURES.index("several words")
    assert sorted(taught.rows[:3, several]) == [0.5, 1, 1], "one word of Poor Ann is common"


def test_the_story_says_how_many_are_right(novel: NovelNames) -> None:
    told = story_of([novel] * 30, [lesson(novel)] * 30)
    assert told["held out"] == {
        "all": {"people": 30, "right": 30, "right by the most used name": 0},
        "named 20 times": {"people": 0, "right": 0, "right by the most used name": 0},
    }


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every book of the corpus resolved."""
    annotations = Annotations(resolver="hand", characters=FOUND, mentions=(), quotes=())
    monkeypatch.setattr(Workroom, "annotations", lambda *_: annotations)


@pytest.mark.usefixtures("resolved")
def test_the_command_writes_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(casts, "casts", lambda: iter([CAST, CAST]))
    novels, to = tmp_path / "novels", tmp_path / "names.json"
    novels.mkdir()
    (novels / "novel.txt").write_text(TEXT * 40, "utf-8")
    assert run(["train", "display-names", "--novels", str(novels), "--output", str(to), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["held out"]["all"]["people"] == 2
    model = odds.read(to.read_text("utf-8"), FEATURES, of="name to display")
    assert model.weights[FEATURES.index("several words")] > 0


@pytest.mark.usefixtures("resolved")
def test_one_novel_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(casts, "casts", lambda: iter([CAST]))
    (tmp_path / "novel.txt").write_text(TEXT, "utf-8")
    to = tmp_path / "names.json"
    assert run(["train", "display-names", "--novels", str(tmp_path), "--output", str(to)]) == 1
    assert "Nothing can be learnt: novel is the only novel" in capsys.readouterr().err
    assert not to.exists()
