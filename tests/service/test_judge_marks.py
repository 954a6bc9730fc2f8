"""The marks of examined judges are kept between processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from generation.checking.judges.proven_judge import ProvenJudge
from service.engines import Engines
from service.judge_marks import MARKS, KeptMarks
from service.settings import Settings
from tests.generation.inference import checkpoint


def test_they_are_kept(tmp_path: Path) -> None:
    KeptMarks(tmp_path / "new" / MARKS).put("a", 0.5)
    KeptMarks(tmp_path / "new" / MARKS).put("b", 1.0)
    marks = KeptMarks(tmp_path / "new" / MARKS)
    assert (marks.get("a"), marks.get("b"), marks.get("c")) == (0.5, 1.0, None)


def test_a_broken_file_has_none(tmp_path: Path) -> None:
    marks = KeptMarks(tmp_path / MARKS)
    for text in ("{", "[1]", '{"a": "good"}'):
        (tmp_path / MARKS).write_text(text)
        assert marks.get("a") is None
    marks.put("a", 0.9)
    assert marks.get("a") == 0.9


def test_a_folder_that_cannot_be_written_to_keeps_none(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("a file where the folder should be")
    marks = KeptMarks(tmp_path / "new" / MARKS)
    marks.put("a", 0.9)
    assert marks.get("a") is None


@pytest.mark.parametrize(
    ("wanted", "examined"), [("auto", True), ("llm", True), ("nli", True), ("offline", False)]
)
def test_every_judge_that_is_a_model_is_examined(wanted: str, examined: bool, tmp_path: Path) -> None:
    engines = Engines(
        Settings(
            data_dir=tmp_path,
            generator="scripted-model",
            judge=wanted,
            judge_model="scripted-model",
            nli_model=checkpoint(tmp_path / "nli"),
        )
    )
    assert isinstance(engines.judge_for("scripted-model"), ProvenJudge) is examined
    assert not isinstance(engines.judge_called(wanted, examined=False), ProvenJudge)
