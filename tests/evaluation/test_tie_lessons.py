"""Lessons of which ties of two people readers know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coref import odds
from coref.types import Annotations
from evaluation.coref.tie_lessons import lesson
from evaluation.corpus import casts
from evaluation.corpus.casts import CastTie, NovelCast
from evaluation.portraits.workroom import Workroom
from generation.story.ties.tie_signs import FEATURES
from service.cli.app import run
from tests.generation.story.telling import tell

PEOPLE = {"a": "Ann Hale/she", "b": "Bess Hale/she", "t": "Tom Reed/he", "x": "Somebody Else/she"}
KNOWN = {"ann": "Ann Hale", "bess": "Bess Hale", "tom": "Tom Reed"}
TOLD = (
    "# One\n\n[Ann Hale|a] is the sister of [Bess Hale|b]. [Tom Reed|t] is the friend of [Ann Hale|a]. "
    "[Somebody Else|x] is the mother of [Tom Reed|t]."
)


def cast(*ties: CastTie) -> NovelCast:
    return NovelCast("a_book", KNOWN, (), {name: (key,) for key, name in KNOWN.items()}, ties=ties)


def test_a_tie_that_readers_know_is_true_and_another_of_people_they_know_is_not() -> None:
    taught = lesson(cast(CastTie("bess", "sibling", "ann")), *tell(TOLD, **PEOPLE))
    ties = {FEATURES[at] for row in taught.rows for at in row.nonzero()[0]} & {"sibling", "friend", "parent"}
    assert ties == {"sibling", "friend"}, "nobody knows who Somebody Else is"
    siblings = taught.rows[:, FEATURES.index("sibling")] == 1
    assert taught.true.tolist() == siblings.tolist()


def test_of_strangers_nothing_is_learnt() -> None:
    book, annotations = tell("# One\n\n[Ann Hale|a] sang.", **PEOPLE)
    assert lesson(cast(), book, annotations).rows.shape == (0, len(FEATURES))


def test_the_command_writes_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    book, annotations = tell(TOLD, **PEOPLE)

    def annotated(*_: object) -> Annotations:
        return annotations

    monkeypatch.setattr(Workroom, "annotations", annotated)
    monkeypatch.setattr("evaluation.datasets.shelf.open_book", lambda _: book)
    known = cast(CastTie("ann", "sibling", "bess"))
    monkeypatch.setattr(casts, "casts", lambda: iter([known, known]))
    novels, to = tmp_path / "novels", tmp_path / "ties.json"
    novels.mkdir()
    (novels / "a_book.txt").write_text(book.text, "utf-8")
    assert run(["train", "ties", "--novels", str(novels), "--output", str(to), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["novels"] == ["a_book", "a_book"]
    model = odds.read(to.read_text("utf-8"), FEATURES, of="tie")
    weights = dict(zip(FEATURES, model.weights, strict=True))
    assert weights["sibling"] > 0 > weights["friend"]


def test_without_novels_nothing_is_learnt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "ties.json"
    assert run(["train", "ties", "--novels", str(tmp_path), "--output", str(to)]) == 1
    assert "the text of none of the novels" in capsys.readouterr().err
    assert not to.exists()
