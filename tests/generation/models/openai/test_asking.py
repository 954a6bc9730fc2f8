"""What is sent, what is returned, and what it cost."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from generation.checking.claims.json_asking import JsonAsk, rows_in, schema_of
from generation.checking.claims.json_asking import ask as ask_for_json
from generation.errors import GeneratorUnavailable, ModelServerFailed, PromptTooLong, WritingCancelled
from generation.models.types import Completion, Finish
from generation.types import Task
from tests.failing import fails
from tests.generation.models.openai.conftest import KEY, Ear, Make, ask
from tests.generation.models.openai.fake import (
    ANSWER,
    Fake,
    Handler,
    Reply,
    Seen,
    chunk,
    drip_events,
    error,
    events,
    says,
    silent,
    status,
)


def test_an_answer_and_its_cost(fake: Fake, make: Make) -> None:
    (got,) = make().complete([ask()])
    assert (got.text, got.finish) == (ANSWER, Finish.STOP)
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.calls) == (40, 9, 1)
    assert 0 < got.usage.seconds < 5


def test_what_is_sent(fake: Fake, make: Make) -> None:
    make().complete([ask(temperature=0.7, seed=11)])
    (seen,) = fake.asked()
    assert seen.body == {
        "model": "llama-3",
        "messages": [
            {"role": "system", "content": "Answer from the book."},
            {"role": "user", "content": "Who is Bess?"},
        ],
        "max_tokens": 64,
        "temperature": 0.7,
        "seed": 11,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert seen.headers["Authorization"] == f"Bearer {KEY}"


def test_nothing_to_ask(fake: Fake, make: Make) -> None:
    assert make().complete([]) == []
    assert not fake.seen


def test_a_cut_off_answer_is_known_as_one(fake: Fake, make: Make) -> None:
    fake.reply(says(finish="length"))
    assert make().complete([ask()])[0].finish is Finish.LENGTH
    assert make().complete([ask()], listener=Ear())[0].finish is Finish.LENGTH


@pytest.mark.parametrize("listener", [None, Ear()])
@pytest.mark.parametrize("finish", ["content_filter", "tool_calls", None])
def test_an_end_that_is_none(fake: Fake, make: Make, finish: str | None, listener: Ear | None) -> None:
    fake.reply(says(finish=finish))
    with pytest.raises(ModelServerFailed):
        make(attempts=1).complete([ask()], listener=listener)
    assert len(fake.asked()) == 1


@pytest.mark.parametrize("text", [None, ""])
def test_an_empty_answer_is_an_answer(fake: Fake, make: Make, text: str | None) -> None:
    """Whether it is good enough is for the caller to decide."""
    fake.reply(says(text))
    (got,) = make().complete([ask()])
    assert (got.text, got.finish) == ("", Finish.STOP)


@pytest.mark.parametrize("listener", [None, Ear()])
def test_without_a_servers_count_the_cost_is_guessed(fake: Fake, make: Make, listener: Ear | None) -> None:
    fake.reply(says(usage=False))
    model = make()
    (got,) = model.complete([ask()], listener=listener)
    assert got.usage.prompt_tokens == model.count_prompt(ask().messages) > 20
    assert got.usage.completion_tokens == model.count_tokens(got.text) > 5


def test_a_listener_hears_each_piece_as_it_comes(fake: Fake, make: Make) -> None:
    fake.reply(says(pause=0.05))
    ear, at = Ear(), []
    ear.hear = lambda request, piece: at.append((time.monotonic(), request, piece))  # type: ignore[method-assign]
    (got,) = make().complete([ask()], listener=ear)
    assert "".join(piece for _, _, piece in at) == got.text == ANSWER
    assert at[-1][0] - at[0][0] > 0.2, "the first was not kept back until the last had come"
    assert (got.usage.prompt_tokens, got.usage.completion_tokens) == (40, 9)
    assert fake.asked()[0].body["stream_options"] == {"include_usage": True}


def test_a_server_that_does_not_stream_is_asked_for_the_whole_answer(fake: Fake, make: Make) -> None:
    whole = {"choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}]}
    fake.reply(status(200, whole))
    model = make()
    assert model.complete([ask()])[0].text == ANSWER
    assert model.complete([ask()])[0].text == ANSWER
    assert ["stream" in seen.body for seen in fake.asked()] == [True, False, False]


def test_a_listener_is_spoken_to_on_the_thread_that_asked(fake: Fake, make: Make) -> None:
    threads: set[int] = set()
    ear = Ear()
    ear.hear = lambda request, piece: threads.add(threading.get_ident())  # type: ignore[method-assign]
    make().complete([ask(), ask()], listener=ear)
    assert threads == {threading.get_ident()}


def test_many_at_once_within_the_bound_and_in_order(fake: Fake, make: Make) -> None:
    fake.reply(lambda handler, seen: says(seen.body["messages"][1]["content"], pause=0.1)(handler, seen))
    got = make(concurrency=3).complete([ask(f"Question {n}") for n in range(9)])
    assert [g.text for g in got] == [f"Question {n}" for n in range(9)]
    assert fake.peak == 3


def test_the_bound_holds_over_all_threads(fake: Fake, make: Make) -> None:
    fake.reply(says(pause=0.1))
    model = make(concurrency=2)
    done: list[list[Completion]] = []
    threads = [threading.Thread(target=lambda: done.append(model.complete([ask(), ask()]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(done) == 4
    assert fake.peak == 2


def test_several_streams_are_told_apart(fake: Fake, make: Make) -> None:
    fake.reply(lambda handler, seen: says(seen.body["messages"][1]["content"], pause=0.01)(handler, seen))
    ear = Ear()
    got = make().complete([ask("one two three"), ask("four five six")], listener=ear)
    assert [ear.text(0), ear.text(1)] == [g.text for g in got] == ["one two three", "four five six"]


def test_whoever_leaves_ends_the_stream(fake: Fake, make: Make) -> None:
    fake.reply(drip_events)
    begun = time.monotonic()
    with pytest.raises(WritingCancelled):
        make().complete([ask(), ask()], listener=Ear(until=3))
    assert time.monotonic() - begun < 15
    assert fake.hung_up.wait(15), "the server is told"


def test_whoever_leaves_before_the_first_word_is_not_kept(fake: Fake, make: Make) -> None:
    fake.reply(silent)
    ear = Ear()
    ear.gone = lambda: len(fake.asked()) > 0  # type: ignore[method-assign]
    begun = time.monotonic()
    with pytest.raises(WritingCancelled):
        make(timeout=30.0).complete([ask()], listener=ear)
    assert time.monotonic() - begun < 15
    assert fake.hung_up.wait(15), "the server is told"


def test_whoever_leaves_between_attempts_is_not_kept(fake: Fake, make: Make) -> None:
    fake.reply(error(503, "busy", Retry_After="30"))
    ear = Ear()
    ear.gone = lambda: len(fake.asked()) > 0  # type: ignore[method-assign]
    begun = time.monotonic()
    with pytest.raises(WritingCancelled):
        make().complete([ask()], listener=ear)
    assert time.monotonic() - begun < 15


def test_a_listener_that_fails_ends_the_calls(fake: Fake, make: Make) -> None:
    fake.reply(drip_events)
    ear = Ear()

    def fail(request: int, piece: str) -> None:
        raise RuntimeError("deaf")

    ear.hear = fail  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="deaf"):
        make().complete([ask()], listener=ear)
    assert fake.hung_up.wait(15)


def test_the_first_failure_ends_the_others(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        if "good" in seen.body["messages"][1]["content"]:
            return silent(handler, seen)
        while len(fake.asked()) < 2:
            time.sleep(0.01)
        return error(401, "no")(handler, seen)

    fake.reply(reply)
    begun = time.monotonic()
    with pytest.raises(GeneratorUnavailable):
        make(timeout=20.0).complete([ask("good"), ask("bad")])
    assert time.monotonic() - begun < 15
    assert fake.hung_up.wait(15)


def test_a_model_for_each_task(fake: Fake, make: Make) -> None:
    model = make(models={"analysis": "essays"})
    model.complete([ask(task=Task.ANALYSIS), ask(task=Task.DESCRIPTION)])
    asked = {seen.body["model"] for seen in fake.asked()}
    assert asked == {"essays", "llama-3"}
    assert model.name == f"openai/1:analysis=essays,default=llama-3@{fake.url}/v1"


def test_without_a_name_the_only_model_answers(fake: Fake, make: Make) -> None:
    fake.reply(status(200, {"data": [{"id": "gemma"}]}), path="/v1/models")
    model = make(model=None)
    model.complete([ask()])
    model.complete([ask()])
    assert [s.body["model"] for s in fake.asked()] == ["gemma", "gemma"]
    assert model.name == f"openai/1:gemma@{fake.url}/v1"
    assert len(fake.asked("/v1/models")) == 1


def test_the_base_is_the_only_model_beside_its_adapters(fake: Fake, make: Make) -> None:
    listed = [{"id": "llama", "parent": None}, {"id": "lora", "parent": "llama"}]
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    make(model=None).complete([ask()])
    assert fake.asked()[0].body["model"] == "llama"


@pytest.mark.parametrize("listed", [[], [{"id": "one"}, {"id": "two"}]])
def test_no_model_to_choose(fake: Fake, make: Make, listed: list[dict[str, str]]) -> None:
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    with fails(GeneratorUnavailable, hidden="two", match="two" if listed else "no model"):
        make(model=None).complete([ask()])
    assert not fake.asked()


@pytest.mark.parametrize("reply", [error(401, "no"), error(500, "oh"), events("<html>")])
def test_a_list_that_cannot_be_had(fake: Fake, make: Make, reply: Reply) -> None:
    fake.reply(reply, path="/v1/models")
    with pytest.raises((GeneratorUnavailable, ModelServerFailed)):
        _ = make(model=None).name


def test_a_model_that_is_gone_is_looked_for_again(fake: Fake, make: Make) -> None:
    listed = [status(200, {"data": [{"id": name}]}) for name in ("old", "new")]
    fake.reply(*listed, path="/v1/models")
    fake.reply(error(404, "The model `old` does not exist."), says())
    model = make(model=None)
    with fails(GeneratorUnavailable, match="does not exist"):
        model.complete([ask()])
    model.complete([ask()])
    assert [s.body["model"] for s in fake.asked()] == ["old", "new"]


def test_a_task_that_is_none(make: Make) -> None:
    with fails(GeneratorUnavailable, match="descripton"):
        make(models={"descripton": "x"})


REFUSALS = [
    ("seed", "Unsupported parameter: 'seed' is not supported with this model."),
    ("temperature", "Unsupported value: 'temperature' does not support 0.4 with this model."),
    ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    ("stream_options", "Unexpected fields in the request: {'stream_options'}"),
    ("response_format", "Unsupported parameter: 'response_format' of type 'json_schema'."),
]
SCHEMA = schema_of("facts", {"fact": {"type": "string"}})


@pytest.mark.parametrize("code", [400, 422])
@pytest.mark.parametrize(("name", "said"), REFUSALS)
def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    fake: Fake, make: Make, name: str, said: str, code: int
) -> None:
    fake.reply(
        lambda handler, seen: (status(code, {"detail": said}) if name in seen.body else says())(handler, seen)
    )
    model, ear = make(attempts=1), Ear()
    (got,) = model.complete([ask(schema=SCHEMA)], listener=ear)
    assert got.text.strip() == ear.text().strip() == ANSWER
    assert got.usage.calls == 2
    assert model.complete([ask(schema=SCHEMA)], listener=Ear())[0].usage.calls == 1
    assert [name in s.body for s in fake.asked()] == [True, False, False]
    if name == "max_tokens":
        assert fake.asked()[1].body["max_completion_tokens"] == 64


def test_json_is_asked_for_by_its_schema_and_after_a_bad_answer_without(fake: Fake, make: Make) -> None:
    fake.reply(says("\n\n"), says('{"facts": [{"fact": "Bess is late."}]}'))
    wanted = JsonAsk(ask().messages, tokens=64, check=partial(rows_in, name="facts"), schema=SCHEMA)
    (got,), usage = ask_for_json(make(), [wanted])
    assert (got.value, got.fault, usage.calls) == ([{"fact": "Bess is late."}], None, 2)
    asked = {"name": "answer", "schema": SCHEMA, "strict": True}
    formats = [seen.body.get("response_format") for seen in fake.asked()]
    assert formats == [{"type": "json_schema", "json_schema": asked}, None]


def test_a_template_without_a_system_role(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        roles = [m["role"] for m in seen.body["messages"]]
        (error(400, "System role not supported") if "system" in roles else says())(handler, seen)

    fake.reply(reply)
    make().complete([ask()])
    said = fake.asked()[1].body["messages"]
    assert said == [{"role": "user", "content": "Answer from the book.\n\nWho is Bess?"}]


def test_a_server_that_does_not_stream_is_heard_all_at_once(fake: Fake, make: Make) -> None:
    def reply(handler: Handler, seen: Seen) -> None:
        (error(400, "streaming is not available") if seen.body.get("stream") else says())(handler, seen)

    fake.reply(reply)
    ear = Ear()
    make().complete([ask()], listener=ear)
    assert ear.pieces == [(0, ANSWER)]


def test_what_was_refused_for_another_reason_is_not_remembered(fake: Fake, make: Make) -> None:
    fake.reply(error(400, "seed temperature max_tokens and all: no"))
    model = make()
    with pytest.raises(ModelServerFailed):
        model.complete([ask()])
    fake.reply(says())
    model.complete([ask()])
    assert {"seed", "temperature", "max_tokens"} <= set(fake.asked()[-1].body)


TOO_LONG = [
    (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
    (
        400,
        "You passed 9000 input tokens and requested 64 output tokens. However, the model's context length is "
        "only 4096 tokens, resulting in a maximum input length of 4032 tokens.",
    ),
    (400, "request (9412 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    (500, "the prompt exceeds the context window of 4096"),
    (
        400,
        "The number of tokens to keep from the initial prompt is greater than the context length "
        "(n_keep: 6020>= n_ctx: 4096). Try to load the model with a larger context length.",
    ),
    (400, "Cannot truncate prompt with n_keep (15028) >= n_ctx (4096)"),
    (400, "prompt is too long: 208310 tokens > 4096 maximum"),
    (400, "input length and `max_tokens` exceed context limit: 8959 + 640 > 4096, decrease input length"),
    (400, "Input tokens exceed the configured limit of 4096 tokens. Your messages resulted in 9650 tokens."),
    (400, "The input token count (9293) exceeds the maximum number of tokens allowed (4096)."),
]
LONG = "Who is Bess? " * 1500


@pytest.mark.parametrize(("code", "said"), TOO_LONG)
def test_a_prompt_that_is_too_long_teaches_the_context(fake: Fake, make: Make, code: int, said: str) -> None:
    fake.reply(error(code, said))
    model = make()
    assert model.context == 8192
    with pytest.raises(PromptTooLong):
        model.complete([ask(LONG)])
    assert len(fake.asked()) == 1
    assert model.context == 4096


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (413, "Payload Too Large"),
        (400, "Your input exceeds the context window of this model. Please adjust your input and try again."),
        (400, "This model's maximum context length is 8192 tokens."),
    ],
)
def test_a_refusal_without_a_smaller_number_teaches_to_ask_for_less(
    fake: Fake, make: Make, code: int, said: str
) -> None:
    fake.reply(error(code, said))
    model, small = make(context=8000), ask("Who is Bess? " * 1000)
    taken = model.count_prompt(small.messages) + small.max_tokens
    with pytest.raises(PromptTooLong):
        model.complete([small, small])
    assert model.context == int(0.75 * taken) < 8000, "less than the setting, and once for both"
    for _ in range(3):
        with pytest.raises(PromptTooLong):
            model.complete([ask()])
    assert model.context == 2048, "not less and less for ever"


def test_an_error_in_the_middle_of_a_stream(fake: Fake, make: Make) -> None:
    fake.reply(events(chunk(content="Bess "), '{"error": {"message": "out of memory"}}'))
    with fails(ModelServerFailed, match="out of memory", hidden="memory"):
        make().complete([ask()], listener=Ear())
    assert len(fake.asked()) == 1, "what was heard can't be unsaid"
