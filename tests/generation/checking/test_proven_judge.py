"""A model judges only if it can: it is examined once, and the offline judge takes its place if it fails."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import pytest

from generation.checking.judges.llm_judge import TOGETHER, LlmJudge
from generation.checking.judges.proven_judge import FEWEST, PASSED, SITTINGS, ProvenJudge, exam
from generation.checking.protocols import Judged
from generation.checking.types import Case
from generation.models.scripted_model import ScriptedModel
from generation.types import Label, Plan, Verdict
from tests.generation.checking.test_judge_llm import LEFT, claim, said
from tests.generation.novel import case

CALLS = -(-len(exam().cases) // TOGETHER)


class Marks(dict[str, float]):
    def put(self, judge: str, mark: float) -> None:
        self[judge] = mark


class Doubter:
    name = "doubter"

    def judge(self, cases: Sequence[Case]) -> Judged:
        return Judged([Verdict(Label.UNCERTAIN, 0.0, (), self.name) for _ in cases])


class Contradictor:
    name = "contradictor"

    def judge(self, cases: Sequence[Case]) -> Judged:
        return Judged([Verdict(Label.CONTRADICTED, 0.9, (), self.name) for _ in cases])


def answers(labels: Sequence[bool]) -> Iterator[str]:
    """A sitting: the verdicts of a model, batch by batch."""
    for start in range(0, len(labels), TOGETHER):
        batch = labels[start : start + TOGETHER]
        rows = ((n, "supported" if yes else "unsupported", [1]) for n, yes in enumerate(batch, 1))
        yield said(*rows)


def proven(script: Sequence[str], marks: Marks) -> tuple[ProvenJudge, ScriptedModel]:
    model = ScriptedModel(script)
    return ProvenJudge(LlmJudge(model), instead=Doubter(), records=marks), model


RIGHT = exam().supported
ASKED = [case(claim("Bess left."), [LEFT])]
VERDICT = said((1, "supported", [1]))


def test_half_of_the_statements_are_supported_and_each_stands_in_the_prompt() -> None:
    assert sum(RIGHT) * 2 == len(RIGHT) >= 16
    model = ScriptedModel(list(answers(RIGHT)))
    LlmJudge(model).judge(exam().cases)
    shown = [request.messages[-1].content for call in model.asked for request in call]
    for each in exam().cases:
        assert any(re.search(rf"^\d+: {re.escape(each.claim.text)}$", text, re.MULTILINE) for text in shown)
    assert not any("+ " in line[:2] for text in shown for line in text.splitlines())


def test_a_model_that_passes_judges_and_is_not_examined_again() -> None:
    marks = Marks()
    judge, model = proven([*answers(RIGHT), VERDICT, VERDICT], marks)
    first = judge.judge(ASKED)
    assert (first.verdicts[0].label, first.notes, first.judge) == (Label.SUPPORTED, (), None)
    assert first.usage.calls == CALLS + 1
    assert marks == {judge.name: 1.0, f"{judge.name}, contradictions": 0.0}
    assert judge.judge(ASKED).usage.calls == 1
    assert judge.name.startswith("llm/")
    assert len(model.asked) == 3


@pytest.mark.parametrize("labels", [[True] * len(RIGHT), [False] * len(RIGHT), [not yes for yes in RIGHT]])
def test_one_that_cannot_tell_is_replaced_and_the_answer_says_so(labels: list[bool]) -> None:
    marks = Marks()
    judge, model = proven([*answers(labels)] * SITTINGS, marks)
    judged = judge.judge(ASKED)
    assert (judged.verdicts[0].judge, judged.judge) == ("doubter", "doubter")
    right = sum(a == b for a, b in zip(labels, RIGHT, strict=True))
    assert f"the model judged {right} of {len(RIGHT)} statements" in judged.notes[0]
    asked = len(model.asked)
    assert judge.judge(ASKED).verdicts[0].judge == "doubter"
    assert len(model.asked) == asked
    assert marks[judge.name] < PASSED


@pytest.mark.parametrize(
    ("contradicted", "believed"), [(0, False), (FEWEST - 1, False), (FEWEST, True), (-2, False)]
)
def test_contradictions_are_believed_only_if_proven(contradicted: int, believed: bool) -> None:
    """`contradicted`: so many unsupported statements are called so; below 0 all, and as many others."""
    wrong = [at for at, yes in enumerate(RIGHT) if not yes]
    right = [at for at, yes in enumerate(RIGHT) if yes]
    called = {*wrong[:contradicted]} if contradicted >= 0 else {*wrong, *right[:-contradicted]}
    labels = [
        "contradicted" if at in called else "supported" if yes else "unsupported"
        for at, yes in enumerate(RIGHT)
    ]
    sitting = [
        said(*((n, label, [1]) for n, label in enumerate(labels[start : start + TOGETHER], 1)))
        for start in range(0, len(labels), TOGETHER)
    ]
    judge, _ = proven([*sitting, said((1, "contradicted", [1]))], Marks())
    expected = Label.CONTRADICTED if believed else Label.UNCERTAIN
    assert judge.judge(ASKED).verdicts[0].label is expected


def test_a_judge_without_cost_is_examined_too() -> None:
    marks = Marks()
    judge = ProvenJudge(Contradictor(), instead=Doubter(), records=marks)
    assert judge.judge(ASKED).verdicts[0].judge == "doubter"
    assert judge.plan(100) == Plan()
    marks[judge.name] = 1.0
    assert judge.judge(ASKED).verdicts[0].label is Label.UNCERTAIN
    marks[f"{judge.name}, contradictions"] = 1.0
    assert judge.judge(ASKED).verdicts[0].label is Label.CONTRADICTED
    assert judge.plan(100) == Plan()


def test_a_bad_moment_is_forgiven() -> None:
    nonsense = ["I like novels."] * 2 * CALLS  # each is asked for once more
    judge, _ = proven([*nonsense, *answers(RIGHT), VERDICT], Marks())
    assert judge.judge(ASKED).verdicts[0].label is Label.SUPPORTED


def test_an_exam_takes_no_more_calls_than_is_documented() -> None:
    judge, _ = proven(["I like novels."] * 20, Marks())
    assert (CALLS, judge.judge(ASKED).usage.calls) == (2, 8)


def test_a_plan_counts_the_exam_while_it_is_to_come_and_nothing_for_one_that_failed() -> None:
    marks = Marks()
    judge, _ = proven([], marks)
    unknown = judge.plan(100)
    marks[judge.name] = 1.0
    proved = judge.plan(100)
    assert unknown.calls >= proved.calls + CALLS
    assert proved.calls > 0
    marks[judge.name] = 0.5
    assert judge.plan(100).tokens == 0


def test_nothing_to_judge_needs_no_exam() -> None:
    judge, model = proven([], Marks())
    assert judge.judge([]).verdicts == []
    assert not model.asked


def test_a_right_answer_is_json() -> None:
    assert all(json.loads(answer)["verdicts"] for answer in answers(RIGHT))
