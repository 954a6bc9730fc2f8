"""Questions answered by a language model: short, cited, or an admission that the book does not say."""

from __future__ import annotations

import pytest

from generation.models.scripted_model import ScriptedModel
from generation.phrases import phrase
from generation.types import AnswerLanguage, AnswerLimits, Draft, Plan, Task
from generation.writing.prompts import make_prompt
from generation.writing.writer import PortraitWriter
from tests.generation.writing.offline.test_reply import place
from tests.generation.writing.told import Told, prompt

NOT_SAID = phrase(AnswerLanguage.ENGLISH, "unsaid")

QUESTION = "Whom did Bess save?"


def draft(told: Told, said: str) -> tuple[Draft, ScriptedModel]:
    model = ScriptedModel([said])
    given = prompt(told, task=Task.DESCRIPTION)
    asked = make_prompt(given.context, task=Task.QUESTION, passages=given.passages, question=QUESTION)
    written = PortraitWriter(model).generate(asked, AnswerLimits(words=60))
    return written, model


def test_it_is_shown_the_question_and_the_passages(harbour: Told) -> None:
    written, model = draft(harbour, "Captain Crane [1].")
    ((asked,),) = model.asked
    message = asked.messages[-1].content
    assert QUESTION in message
    assert NOT_SAID in message
    assert "[1]" in message
    assert written.sentences[0].text == "Captain Crane.", "two words are an answer"
    (whole,) = draft(harbour, "Bess saved Captain Crane from the water.")[0].sentences
    assert "Captain Crane" in whole.citations[0].span.of(harbour[0].text)


@pytest.mark.parametrize(
    "said", [NOT_SAID, NOT_SAID.upper(), f"{NOT_SAID} Really.", f"“{NOT_SAID}”", f"{NOT_SAID[:-1]} [1]."]
)
def test_that_the_book_does_not_say_needs_no_evidence(harbour: Told, said: str) -> None:
    (only,) = draft(harbour, said)[0].sentences
    assert only.text == NOT_SAID
    assert only.remark
    assert only.citations == ()


def test_the_nearest_places_are_shown_if_the_book_does_not_say(harbour: Told) -> None:
    context = prompt(harbour, task=Task.DESCRIPTION).context
    near = place(harbour, 0.9, saved=0.9)
    asked = make_prompt(context, task=Task.QUESTION, question=QUESTION, places=[near])
    written = PortraitWriter(ScriptedModel([NOT_SAID])).generate(asked, AnswerLimits(words=60))
    first, second = written.sentences
    assert first.text == NOT_SAID
    assert second.heading == "The nearest places"
    assert second.citations[0].span == near.sentences[0].span


def test_the_cost_is_known_before(harbour: Told) -> None:
    given = prompt(harbour, task=Task.DESCRIPTION)
    asked = make_prompt(given.context, task=Task.QUESTION, passages=given.passages, question=QUESTION)
    plan: Plan = PortraitWriter(ScriptedModel()).plan(asked, AnswerLimits(words=60))
    assert plan.calls == 1
    assert plan.prompt_tokens > 0
