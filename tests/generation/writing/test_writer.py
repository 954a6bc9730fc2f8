from __future__ import annotations

from dataclasses import replace

import pytest

from generation.errors import BudgetExceeded, SummaryMissing, WritingCancelled
from generation.models.scripted_model import ScriptedModel
from generation.models.types import MessageRole
from generation.registry import make_generator
from generation.types import AnswerLimits, Strategy, Task
from generation.writing.templating import Templates
from generation.writing.writer import PortraitWriter
from tests.generation.writing.told import Heard, Told, prompt

ANSWER = (
    "Bess Farrow is a brown and obliging woman who comes by the morning train [1]. "
    "She corrects the tide table and writes to Mr. Nuttall [3]. "
    "She saves Captain Crane from the water and becomes the senior clerk [5]."
)


def test_it_is_called_like_its_model_and_knows_its_texts() -> None:
    writer = PortraitWriter(ScriptedModel())
    assert writer.name == "scripted-model/1"
    assert writer.prompts == Templates.load().hash
    assert writer.count_tokens("one two three") == 3


def test_an_answer_has_sentences_that_point_into_the_book(harbour: Told) -> None:
    draft = PortraitWriter(ScriptedModel([ANSWER])).generate(prompt(harbour, "bess"), AnswerLimits())
    assert [s.text for s in draft.sentences] == [
        "Bess Farrow is a brown and obliging woman who comes by the morning train.",
        "She corrects the tide table and writes to Mr. Nuttall.",
        "She saves Captain Crane from the water and becomes the senior clerk.",
    ]
    assert [[c.chapter for c in s.citations] for s in draft.sentences] == [[0], [1], [2]]
    assert "tide table" in draft.sentences[1].citations[0].span.of(harbour[0].text)
    assert draft.notes == ()


def test_the_request_carries_what_the_limits_say(harbour: Told) -> None:
    model = ScriptedModel([ANSWER])
    PortraitWriter(model).generate(prompt(harbour, "bess"), AnswerLimits(words=70, seed=9, temperature=0.1))
    (request,) = model.asked[0]
    assert (request.seed, request.temperature, request.task) == (9, 0.1, Task.DESCRIPTION)
    assert [m.role for m in request.messages] == [MessageRole.SYSTEM, MessageRole.USER]
    assert "about 70 words" in request.messages[1].content
    assert request.max_tokens > 70


def test_the_draft_has_its_cost(harbour: Told) -> None:
    usage = PortraitWriter(ScriptedModel()).generate(prompt(harbour, "bess"), AnswerLimits()).usage
    assert usage.calls == 1
    assert usage.prompt_tokens > 100
    assert usage.completion_tokens > 10
    assert usage.seconds > 0


def test_the_audience_hears_the_answer_as_it_comes(harbour: Told) -> None:
    heard = Heard()
    PortraitWriter(ScriptedModel([ANSWER])).generate(prompt(harbour, "bess"), AnswerLimits(), audience=heard)
    assert len(heard.pieces) > 10
    assert heard.text.strip() == ANSWER
    assert not heard.voided


@pytest.mark.parametrize("patience", [0, 3])
def test_an_answer_nobody_waits_for_is_not_written(harbour: Told, patience: int) -> None:
    heard = Heard(patience=patience)
    with pytest.raises(WritingCancelled):
        PortraitWriter(ScriptedModel([ANSWER])).generate(
            prompt(harbour, "bess"), AnswerLimits(), audience=heard
        )
    assert len(heard.pieces) == patience


def test_a_call_beyond_the_budget_is_not_made(harbour: Told) -> None:
    model = ScriptedModel([ANSWER])
    writer = PortraitWriter(model)
    plan = writer.plan(prompt(harbour, "bess"), AnswerLimits())
    most = plan.prompt_tokens + plan.completion_tokens
    with pytest.raises(BudgetExceeded, match=f"of the {most - 1:,}"):
        writer.generate(prompt(harbour, "bess"), AnswerLimits(tokens=most - 1))
    assert model.asked == []
    assert writer.generate(prompt(harbour, "bess"), AnswerLimits(tokens=most)).sentences


def test_a_plan_is_what_is_asked_at_most(harbour: Told) -> None:
    model = ScriptedModel([ANSWER])
    writer = PortraitWriter(model)
    plan = writer.plan(prompt(harbour, "bess"), AnswerLimits())
    assert model.asked == []
    usage = writer.generate(prompt(harbour, "bess"), AnswerLimits()).usage
    assert (plan.calls, plan.prompt_tokens) == (usage.calls, usage.prompt_tokens)
    assert plan.completion_tokens == sum(r.max_tokens for r in model.asked[0])


def test_the_room_shrinks_with_the_answer_and_never_below_nothing() -> None:
    writer = PortraitWriter(ScriptedModel(context=4000))
    rooms = [writer.room(task, AnswerLimits(words=words)) for task, words in [
        (Task.DESCRIPTION, 90), (Task.ANALYSIS, 600), (Task.JOINT, 600),
    ]]  # fmt: skip
    assert 4000 > rooms[0] > rooms[1] > rooms[2] == 0  # type: ignore[operator]


def test_a_summary_must_be_given(harbour: Told) -> None:
    writer = PortraitWriter(ScriptedModel())
    for nothing in (None, " \n"):
        asked = replace(prompt(harbour, "bess"), strategy=Strategy.SUMMARY, summary=nothing)
        with pytest.raises(SummaryMissing):
            writer.generate(asked, AnswerLimits())
        with pytest.raises(SummaryMissing):
            writer.plan(asked, AnswerLimits())


def test_the_registered_double_writes_cited_answers_by_itself(harbour: Told) -> None:
    writer = make_generator("scripted-model")
    for task in (Task.DESCRIPTION, Task.ANALYSIS):
        draft = writer.generate(prompt(harbour, "bess", task=task), AnswerLimits())
        assert draft.sentences
        uncited = [s.text for s in draft.sentences if not s.citations]
        assert len(uncited) <= 1 < len(draft.sentences), uncited
