"""Models that think before they answer: they get room for it, and their thinking is not shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generation.errors import PromptTooLong
from generation.models.openai.model import OpenAIModel
from generation.models.openai.server_request import THINKING_ROOM
from generation.models.thinking import OPEN, spoken
from generation.models.types import Completion, Finish
from generation.types import AnswerLimits, Task
from generation.writing.writer import PortraitWriter
from tests.failing import fails
from tests.generation.models.openai.conftest import Ear, Make, ask
from tests.generation.models.openai.fake import Fake, Handler, Reply, Seen, chunk, error, says, status
from tests.generation.writing.told import Told, prompt

ANSWER = (
    "Bess Farrow is the harbour's pilot, and the sister of Ned [1]. She is brown and obliging [1]."
    " She is never late for a ship, whatever the weather is [2]."
)


def streams(*pieces: dict[str, str], finish: str = "stop") -> Reply:
    def reply(handler: Handler, _: Seen) -> None:
        handler.open_stream()
        for piece in pieces:
            handler.event(chunk(**piece))
        handler.event(chunk(finish=finish))
        handler.event("[DONE]")

    return reply


def thinks_for(tokens: int, answer: str = ANSWER, *, field: str = "reasoning_content") -> Reply:
    """Think for this many tokens, and answer only if the request leaves room for it."""

    def reply(handler: Handler, seen: Seen) -> None:
        thought = [{field: "Let me see. "}] * 3 if field else []
        if seen.body["max_tokens"] > tokens:
            streams(*thought, {"content": answer})(handler, seen)
        else:
            streams(*thought, finish="length")(handler, seen)

    return reply


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", ""])
def test_a_model_that_thinks_too_long_gets_room(fake: Fake, make: Make, field: str) -> None:
    fake.reply(thinks_for(500, field=field))
    model = make()
    (got,) = model.complete([ask()])
    assert (got.text, got.finish, got.usage.calls) == (ANSWER, Finish.STOP, 2)
    assert [seen.body["max_tokens"] for seen in fake.asked()] == [64, 64 + int(8192 * 0.4)]
    (again,) = model.complete([ask()])
    assert (again.text, again.usage.calls) == (ANSWER, 1), "the model is known now"


def test_thinking_inside_the_text_gets_room_too(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        more = seen.body["max_tokens"] > 500
        text = f"<think>Hm.</think>{ANSWER}" if more else "<think>Hm"
        says(text, finish="stop" if more else "length")(handler, seen)

    fake.reply(reply)
    ear = Ear()
    (got,) = make().complete([ask()], listener=ear)
    assert got.text.endswith(ANSWER)
    assert got.thought


CLOSED = f"Let me see. A pilot.</think>{ANSWER}"
"""What a model says whose template begins the thinking in the prompt."""


def heard(model: OpenAIModel) -> tuple[str, Completion]:
    ear = Ear()
    (got,) = model.complete([ask()], listener=ear)
    return ear.text(), got


def test_the_second_time_only_the_end_of_the_thinking_is_expected(fake: Fake, make: Make) -> None:
    model = make()
    fake.reply(says(CLOSED))
    assert heard(model)[0] == CLOSED
    text, got = heard(model)
    assert (text, got.text) == (OPEN + CLOSED, CLOSED), "what is heard is marked from its beginning on"
    fake.reply(streams({"reasoning": "Let me see."}, {"content": ANSWER}))
    assert spoken(heard(model)[0]) == ANSWER, "by now the server tells the thinking apart"


def test_a_model_that_no_longer_thinks_is_heard_at_once_again(fake: Fake, make: Make) -> None:
    model = make()
    fake.reply(says(CLOSED), says(ANSWER))
    heard(model)
    assert heard(model)[1].text == ANSWER
    assert heard(model)[0] == ANSWER, "that it would think was held for true once"


def test_thinking_that_only_closes_gets_room_and_may_break_off(fake: Fake, make: Make) -> None:
    def broken(handler: Handler, _: Seen) -> None:
        handler.open_stream()
        handler.event(chunk(content="Let me see."))

    model = make()
    fake.reply(says(CLOSED), says("Let me see. A", finish="length"), broken, says(CLOSED))
    heard(model)
    text, got = heard(model)
    assert (spoken(text), got.text, got.usage.calls) == (ANSWER, CLOSED, 3)
    assert fake.asked()[-1].body["max_tokens"] > 500


def test_the_tokens_of_both_answers_are_counted(fake: Fake, make: Make) -> None:
    fake.reply(says("", finish="length"), says(ANSWER))
    (got,) = make().complete([ask()])
    assert (got.usage.prompt_tokens, got.usage.completion_tokens) == (80, 18)


def test_room_is_taken_from_the_context(fake: Fake, make: Make) -> None:
    fake.reply(thinks_for(500))
    model = make(context=32_000)
    before = model.context
    model.complete([ask()])
    assert (before, model.context) == (32_000, 32_000 - THINKING_ROOM)


def test_room_and_length_are_learnt_for_each_model(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        if seen.body["model"] == "essays":
            return error(400, "This model's maximum context length is 4096 tokens.")(handler, seen)
        return thinks_for(500)(handler, seen)

    listed = [{"id": "llama-3", "max_model_len": 32_000}, {"id": "essays", "max_model_len": 9000}]
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    fake.reply(reply)
    model = make(models={"analysis": "essays"})
    model.complete([ask()])
    assert model.context == 9000, "only the other one thinks, and it has room enough"
    with pytest.raises(PromptTooLong):
        model.complete([ask("Who is Bess? " * 1500, task=Task.ANALYSIS)])
    assert model.context == 4096
    model.complete([ask()])
    assert fake.asked()[-1].body["max_tokens"] == 64 + THINKING_ROOM, "it is not that one which takes less"


def test_a_prompt_that_leaves_no_room(fake: Fake, make: Make) -> None:
    fake.reply(says("", finish="length"))
    with fails(PromptTooLong, match="no room to think: /srv/small.gguf", hidden="/srv"):
        make(model="/srv/small.gguf", context=120).complete([ask()])


def test_an_answer_that_is_only_long_gets_no_room(fake: Fake, make: Make) -> None:
    fake.reply(says(finish="length"))
    (got,) = make().complete([ask()])
    assert (got.finish, got.usage.calls) == (Finish.LENGTH, 1)


def test_a_prompt_that_leaves_no_room_is_fitted_again(fake: Fake, make: Make, harbour: Told) -> None:
    asked = prompt(harbour, "bess")

    def reply(handler: Handler, seen: Seen) -> None:
        size = sum(len(message["content"]) for message in seen.body["messages"]) // 4
        if size + seen.body["max_tokens"] > 3000:
            return error(400, "This model's maximum context length is 3000 tokens.")(handler, seen)
        return thinks_for(500)(handler, seen)

    fake.reply(reply)
    draft = PortraitWriter(make(context=3000)).generate(asked, AnswerLimits())
    assert len(draft.sentences) == 3


def test_how_much_it_thinks_can_be_set(fake: Fake, make: Make) -> None:
    make(reasoning="none", extra={"top_p": 0.9}).complete([ask()])
    body = fake.asked()[0].body
    assert body["reasoning_effort"] == "none"
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["top_p"] == 0.9


def test_a_server_that_does_not_know_the_word_is_asked_without(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        refuse: Callable[[Handler, Seen], None] = error(400, "Unrecognized argument: reasoning_effort")
        (refuse if "reasoning_effort" in seen.body else says())(handler, seen)

    fake.reply(reply)
    model = make(reasoning="low")
    assert model.complete([ask()])[0].usage.calls == 2
    assert model.complete([ask()])[0].usage.calls == 1
    whole = {"choices": [{"message": {"content": "x", "reasoning": "Hm."}, "finish_reason": "stop"}]}
    fake.reply(status(200, whole))
    assert model.complete([ask()])[0].thought, "without a stream, too"
