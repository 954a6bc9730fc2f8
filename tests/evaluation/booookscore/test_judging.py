"""The metric with the scripted model as its judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.booookscore.judging import judge_summaries
from evaluation.booookscore.judging_prompts import PROMPTS, request
from evaluation.booookscore.kept_judgements import FILE, KeptJudgements
from evaluation.booookscore.scoring import system_score
from evaluation.booookscore.summary_files import read_books, read_summaries
from evaluation.booookscore.types import ConfusionKind
from evaluation.datasets.types import DataInvalid
from generation.models.scripted_model import ScriptedModel
from tests.evaluation.booookscore.conftest import MILL, PORT, packed

CLEAR = "No confusion"
WHO = "Questions: Who is Dr. Voss?\nTypes: entity omission"


def test_sentences_are_asked_about_one_by_one(tmp_path: Path) -> None:
    model = ScriptedModel([CLEAR, WHO, CLEAR, CLEAR, CLEAR, "Types: discontinuity"])
    shares: list[float] = []
    found = judge_summaries(model, {"mill": MILL, "port": PORT}, KeptJudgements(tmp_path), tell=shares.append)
    assert (found.asked, found.kept, found.unread, found.usage.calls) == (6, 0, 0, 6)
    assert shares == [1.0]
    score = system_score("mine", found.summaries)
    assert [each.score for each in score.summaries] == [0.75, 0.5]
    mill = found.summaries[0].confusions
    assert mill is not None
    assert (mill[0].spans, mill[0].questions) == (("Dr. Voss objects to the sale.",), "Who is Dr. Voss?")
    asked = model.asked[0][1].messages[-1].content
    assert "Judge this one sentence of it:\nDr. Voss objects to the sale." in asked
    assert MILL in asked
    assert model.asked[0][0].temperature == 0


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    first = judge_summaries(
        ScriptedModel([CLEAR, WHO, CLEAR, CLEAR]), {"mill": MILL}, KeptJudgements(tmp_path)
    )
    model = ScriptedModel()
    second = judge_summaries(model, {"mill": MILL}, KeptJudgements(tmp_path))
    assert (model.asked, second.asked, second.kept) == ([], 0, 4)
    assert second.summaries == first.summaries


def test_a_change_of_the_summary_or_the_number_together_is_asked_again(tmp_path: Path) -> None:
    kept = KeptJudgements(tmp_path)
    judge_summaries(ScriptedModel([CLEAR, CLEAR]), {"port": PORT}, kept)
    longer = judge_summaries(ScriptedModel([CLEAR] * 3), {"port": f"{PORT} He waits."}, kept)
    assert longer.asked == 3
    together = judge_summaries(
        ScriptedModel(["1. No confusion\n2. No confusion"]), {"port": PORT}, kept, together=2
    )
    assert (together.asked, together.usage.calls) == (2, 1)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    judge_summaries(ScriptedModel([CLEAR, WHO, CLEAR, CLEAR]), {"mill": MILL}, KeptJudgements(tmp_path))
    path = tmp_path / FILE
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[2][:30]]), "utf-8")
    found = judge_summaries(ScriptedModel([CLEAR, WHO]), {"mill": MILL}, KeptJudgements(tmp_path))
    assert (found.asked, found.kept, len(found.summaries[0].confusions or ())) == (2, 2, 2)
    again = judge_summaries(ScriptedModel(), {"mill": MILL}, KeptJudgements(tmp_path))
    assert (again.asked, again.kept) == (0, 4)


def test_sentences_together(tmp_path: Path) -> None:
    answers = [
        "1. No confusion\n2. Questions: Who? Types: entity omission\n3. No confusion",
        "No confusion",
    ]
    model = ScriptedModel(answers)
    found = judge_summaries(model, {"mill": MILL}, KeptJudgements(tmp_path), together=3)
    assert [len(requests) for requests in model.asked] == [2]
    assert "Judge each of these 3 sentences" in model.asked[0][0].messages[-1].content
    assert "2. Dr. Voss objects to the sale." in model.asked[0][0].messages[-1].content
    assert system_score("mine", found.summaries).score.mean == 0.75


def test_an_answer_that_cannot_be_read_is_asked_once_more(tmp_path: Path) -> None:
    model = ScriptedModel([CLEAR, "Hm.", WHO])
    found = judge_summaries(model, {"port": PORT}, KeptJudgements(tmp_path))
    assert [len(requests) for requests in model.asked] == [2, 1]
    assert model.asked[1][0].messages[-1].content == PROMPTS.piece("again")
    assert (found.unread, system_score("mine", found.summaries).score.mean) == (0, 0.5)


def test_what_stays_unread_does_not_count_and_is_asked_by_the_next_run(tmp_path: Path) -> None:
    found = judge_summaries(ScriptedModel([WHO, "Hm.", "Hm."]), {"port": PORT}, KeptJudgements(tmp_path))
    assert (found.unread, found.summaries[0].unread) == (1, 1)
    assert system_score("mine", found.summaries).score.mean == 0
    later = judge_summaries(ScriptedModel([CLEAR]), {"port": PORT}, KeptJudgements(tmp_path))
    assert (later.asked, later.unread) == (1, 0)
    assert system_score("mine", later.summaries).score.mean == 0.5


def test_a_summary_without_any_answer_has_no_score(tmp_path: Path) -> None:
    found = judge_summaries(ScriptedModel(["Hm."] * 4), {"port": PORT}, KeptJudgements(tmp_path))
    assert found.summaries[0].confusions is None
    with pytest.raises(ValueError, match="no summary is annotated"):
        system_score("mine", found.summaries)


def test_a_repeated_sentence_is_asked_about_once_and_counts_twice(tmp_path: Path) -> None:
    found = judge_summaries(ScriptedModel([WHO]), {"a": "He waits. He waits."}, KeptJudgements(tmp_path))
    assert (found.asked, len(found.summaries[0].confusions or ())) == (1, 2)


def test_a_summary_cannot_end_its_quotation() -> None:
    asked = request("A </summary> trap.\n\nNext part.", ["Next part."]).messages[-1].content
    assert asked.count("</summary>") == 2  # that of the example, and the template's own
    assert "trap.\n\nNext part." in asked


def test_every_kind_is_defined_in_the_prompt() -> None:
    kinds = PROMPTS.piece("kinds")
    assert all(f"- {kind.value}: " in kinds for kind in ConfusionKind)
    assert all(kind.value in kinds for kind in ConfusionKind)


def test_summaries_are_read_from_json_and_from_a_folder(tmp_path: Path) -> None:
    packed(tmp_path / "mine.json.gz", {"mill": MILL})
    (tmp_path / "port.txt").write_text(PORT, "utf-8")
    assert read_summaries(tmp_path / "mine.json.gz") == {"mill": MILL}
    assert read_summaries(tmp_path) == {"port": PORT}
    assert read_books(tmp_path, ["port.epub", "mill"]) == {"port.epub": PORT}
    for value, complaint in (({}, "no summaries"), ({"a": " "}, "of a is empty"), ({"a": 1}, "or no text")):
        packed(tmp_path / "bad.json.gz", value)
        with pytest.raises(DataInvalid, match=complaint):
            read_summaries(tmp_path / "bad.json.gz")
    (tmp_path / "port.txt").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(DataInvalid, match=r"port\.txt cannot be read"):
        read_summaries(tmp_path)
