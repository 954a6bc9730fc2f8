"""Passages that do not fit are left out, lowest score first, with a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from books.types import Book
from coref.types import Annotations
from generation.errors import PromptTooLong
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Message
from generation.types import AnswerLimits, Prompt, Strategy, Task
from generation.writing.writer import PortraitWriter
from tests.generation.novel import story
from tests.generation.writing.told import Told, prompt, shown

SCORES = (0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4)


@pytest.fixture(scope="module")
def weeks() -> tuple[Book, Annotations]:
    told = [f"[Ann Hill|ann] went to market in week {n} {'and so on ' * 12}." for n in range(1, 9)]
    return story("# One\n\n" + "\n\n".join(told) + "\n", ann="Ann Hill/she")


def scored(told: Told, strategy: Strategy = Strategy.RETRIEVE) -> Prompt:
    asked = prompt(told, "ann")
    passages = tuple(replace(p, score=s) for p, s in zip(asked.passages, SCORES, strict=True))
    return replace(asked, passages=passages, strategy=strategy)


def ask(asked: Prompt, context: int) -> tuple[list[int], tuple[str, ...], ScriptedModel]:
    model = ScriptedModel(context=context)
    draft = PortraitWriter(model).generate(asked, AnswerLimits(words=20))
    return shown(model.asked[0][0]), draft.notes, model


def tight(told: Told, passages: int) -> int:
    """Return a context with room for this many passages."""
    model = ScriptedModel()
    every = replace(scored(told), passages=scored(told).passages[:passages])
    plan = PortraitWriter(model).plan(every, AnswerLimits(words=20))
    return plan.prompt_tokens + plan.completion_tokens + 20


def test_all_are_shown_where_there_is_room(weeks: Told) -> None:
    numbers, notes, _ = ask(scored(weeks), 8192)
    assert numbers == list(range(1, 9))
    assert notes == ()


def test_those_with_the_least_score_are_left_out_and_the_order_stays(weeks: Told) -> None:
    numbers, notes, model = ask(scored(weeks), tight(weeks, 4))
    assert numbers == [1, 3, 5, 7]
    assert notes == ("Left out 4 of 8 passages, with the least score: the model's context is full.",)
    request = model.asked[0][0]
    assert model.count_prompt(request.messages) + request.max_tokens <= model.context


def test_of_a_beginning_the_end_is_left_out(weeks: Told) -> None:
    numbers, notes, _ = ask(scored(weeks, Strategy.LEAD), tight(weeks, 3))
    assert numbers == [1, 2, 3]
    assert notes == ("Left out 5 of 8 passages, at the end: the model's context is full.",)


def test_whole_prompts_are_counted_and_not_their_pieces_alone(weeks: Told) -> None:
    """A chat template may add more to a prompt than to its parts."""

    class Dear(ScriptedModel):
        def count_prompt(self, messages: Sequence[Message]) -> int:
            return int(super().count_prompt(messages) * 1.2)

    model = Dear(context=tight(weeks, 8))
    draft = PortraitWriter(model).generate(scored(weeks), AnswerLimits(words=20))
    request = model.asked[0][0]
    assert model.count_prompt(request.messages) + request.max_tokens <= model.context
    assert len(draft.notes) == 1


@pytest.mark.parametrize("strategy", list(Strategy))
def test_without_room_for_instructions_and_answer_it_is_refused(weeks: Told, strategy: Strategy) -> None:
    asked = replace(scored(weeks, strategy), summary="Ann goes to market.")
    writer = PortraitWriter(ScriptedModel(context=300))
    for way in (writer.plan, writer.generate):
        with pytest.raises(PromptTooLong, match="300"):
            way(asked, AnswerLimits(words=20))


def test_a_prompt_of_passages_of_which_none_fits_is_refused(weeks: Told) -> None:
    bare = tight(weeks, 0)
    with pytest.raises(PromptTooLong, match="no room for a passage"):
        ask(scored(weeks), bare)


def test_room_is_what_passages_may_take(weeks: Told) -> None:
    """Passages found within this budget all fit, with their numbers and chapters."""
    model = ScriptedModel(context=2000)
    writer = PortraitWriter(model)
    room = writer.room(Task.DESCRIPTION, AnswerLimits(words=20))
    assert room is not None
    asked = scored(weeks)
    each = model.count_tokens(asked.passages[0].text)
    many = replace(asked, passages=asked.passages * (room // each // len(asked.passages)))
    assert writer.generate(many, AnswerLimits(words=20)).notes == ()
    assert len(many.passages) > 8
