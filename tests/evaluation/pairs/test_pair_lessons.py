"""The corpus as lessons of the reader of pairs, how it is measured, and the command."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file

from coref.native import minilm
from evaluation.corpus.asked_passages import AskedPassage, NovelAskedPassages
from evaluation.corpus.types import CorpusNovel, CorpusPerson, FalseFact, KeyFact
from evaluation.pairs import lessons
from evaluation.pairs.lessons import PairNovel, pair_lessons, pair_novels
from evaluation.pairs.measuring import ClaimFigure, QuestionFigure, claim_figures, question_figures
from evaluation.portraits.types import OpenedBook
from retrieval.pairs import training
from retrieval.pairs.pair_reader import PairReader
from retrieval.pairs.types import Asks, PairLesson
from service.cli.app import run
from tests.evaluation.test_entailment import EXCERPTS, TOLD
from tests.novella import indexed
from tests.retrieval.pairs.tiny import DRY, LESSONS, WET, claim, question, tiny_encoder

QUOTE = "saved Tom from the cold water"
PERSON = CorpusPerson(
    name="Bess Farrow",
    aliases=("Bess",),
    pronouns="she/her",
    who="",
    description="",
    true=(KeyFact("Bess Farrow pulled Tom out of the river.", "event", 1, (QUOTE,)),),
    false=(FalseFact("Bess Farrow drowned in a storm.", "event", "invented"),),
)
ASKED = AskedPassage(
    "Tom never forgave", "in a storm.", ("Who lost a ship?", "why was tom angry"), "Who died?"
)
NOVEL = PairNovel(
    "a_story",
    "train",
    CorpusNovel("a_story", "", "", "train", (PERSON,)),
    EXCERPTS,
    NovelAskedPassages("a_story", (ASKED, replace(ASKED, begins="Not in the book"))),
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedBook:
    book, annotations = TOLD
    folder = tmp_path_factory.mktemp("pairs")
    index = indexed(book, folder)
    return OpenedBook(book, annotations, lambda: index)


def test_claims_are_written_with_plain_names_and_come_from_all_parts(opened: OpenedBook) -> None:
    made = [lesson for lesson in pair_lessons(NOVEL, opened) if lesson.group is None]
    kinds = Counter(lesson.kind for lesson in made)
    assert kinds["true"] == kinds["elsewhere"] > 0
    assert kinds["true of a portrait"] == 1
    assert kinds["false of a portrait"] >= 1
    assert kinds["true with found evidence"] == 1
    assert {lesson.asks for lesson in made} == {Asks.BEARS_OUT}
    fact = next(lesson for lesson in made if lesson.kind == "true of a portrait")
    assert fact.query == "Alex pulled Sam out of the river."
    assert "Alex saved Sam from the cold water." in fact.passage
    for lesson in made:
        labelled = not lesson.kind.endswith("found evidence") and lesson.kind != lessons.NEAR
        assert (lesson.true is not None) is labelled
        assert not lesson.true or lesson.kind in ("true", "true of a portrait")
        assert lesson.weight in (1.0, 0.5, 0.3)


def test_places_of_a_question_are_a_group(opened: OpenedBook) -> None:
    made = [lesson for lesson in pair_lessons(NOVEL, opened) if lesson.group is not None]
    assert {lesson.asks for lesson in made} == {Asks.ANSWERS}
    groups: dict[str, list[PairLesson]] = {}
    for lesson in made:
        groups.setdefault(lesson.group or "", []).append(lesson)
    found = {rows[0].query: rows for rows in groups.values()}
    assert set(found) == {PERSON.true[0].fact, *ASKED.questions, ASKED.trap}
    assert all(len({lesson.query for lesson in rows}) == 1 for rows in groups.values())
    assert [lesson.true for lesson in found[ASKED.trap]] == [False]
    assert any(lesson.true and "storm" in lesson.passage for lesson in found[ASKED.questions[0]])
    assert {lesson.weight for lesson in found[PERSON.true[0].fact]} == {0.0}
    assert {lesson.weight for lesson in found[ASKED.trap]} == {1.0}


def test_dev_novels_are_only_measured_and_have_no_unlabelled_neighbours(opened: OpenedBook) -> None:
    made = list(pair_lessons(replace(NOVEL, split="dev"), opened))
    assert {lesson.split for lesson in made} == {"dev"}
    assert lessons.NEAR not in {lesson.kind for lesson in made}


def test_no_test_novel_is_learnt() -> None:
    found = list(pair_novels())
    assert Counter(novel.split for novel in found)["dev"] == 8
    assert len(found) == len({novel.novel for novel in found}) > 60
    for novel in found:
        assert novel.split == "train" or not (novel.excerpts or novel.asked)


def test_figures_by_hand() -> None:
    held = [
        claim("a", "1", True),
        claim("b", "2", True),
        claim("a", "3", False),
        claim("a", "4", None),
        *question("who", {"5": False, "6": True, "7": False}),
        *question("when", {"8": False}),
    ]
    said = np.array([2, -1, 0, 9, 1, 0, -1, 5], np.float32)
    assert list(claim_figures(held, said, "true of a portrait")) == [
        ClaimFigure("false of a portrait", 1, 0.5)
    ]
    assert list(question_figures(held, said)) == [QuestionFigure("question", 1, 0.0, 1.0)]
    assert list(claim_figures(held, said, "none of these")) == []


def test_the_command_trains_both_and_shows_how_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    large, small = (tiny_encoder(tmp_path / str(width), width=width) for width in (48, 32))
    held = [replace(lesson, split="dev") for lesson in LESSONS]
    (tmp_path / "a_story.txt").write_text("# One\n\nBess saved Tom. Tom slept.\n", "utf-8")
    brisk = training.PairCourse(rate=3e-3, claims=4, groups=2, rounds=8)
    monkeypatch.setattr(training, "TEACHER", brisk)
    monkeypatch.setattr(training, "STUDENT", brisk)
    monkeypatch.setattr(minilm, "encoder_folder", lambda: small)
    monkeypatch.setattr(lessons, "pair_novels", lambda: iter([NOVEL]))
    monkeypatch.setattr(lessons, "pair_lessons", lambda *_: iter([*LESSONS, *held]))
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    file = tmp_path / "pairs.safetensors"
    base = ["train", "pairs", "--novels", str(tmp_path), "--work", str(tmp_path / "work")]
    options = ["--output", str(file), "--device", "cpu"]
    assert run([*base, *options, "--teacher", str(large)]) == 0
    shown = capsys.readouterr()
    assert f"Teacher: {len(LESSONS)} pairs" in shown.err
    fallen = [float(line.rpartition(" ")[2]) for line in shown.err.splitlines() if "loss" in line]
    assert len(fallen) == 16
    assert fallen[7] < fallen[0]
    assert fallen[15] < fallen[8]
    assert "false of a portrait" in shown.out
    reader = PairReader(small, load_file(file))
    said = reader([("Alex got wet.", WET), ("Alex got wet.", DRY)], Asks.BEARS_OUT)
    assert said[0] > said[1]
    assert run([*base, *options, "--teacher", str(tmp_path / "work")]) != 0
    assert "no encoder" in capsys.readouterr().err
    assert run([*base, *options, "--teacher", str(large), "--only", "Bleak House"]) != 0
    assert "is used here" in capsys.readouterr().err
