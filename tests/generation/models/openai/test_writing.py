"""The writer over a server: its prompts fit, its text is streamed, and a caller who leaves is not kept
waiting.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from books.types import Book
from coref.types import Annotations
from generation.errors import (
    BudgetExceeded,
    PromptTooLong,
    WritingCancelled,
)
from generation.models.types import OpenAISetup, WriterSetup
from generation.registry import make_generator
from generation.types import AnswerLimits, Strategy, Task
from generation.writing.writer import PortraitWriter
from tests.generation.models.openai.conftest import Make
from tests.generation.models.openai.fake import Fake, Handler, Seen, error, says
from tests.generation.models.openai.test_knowing import vllm_tokenize
from tests.generation.writing.told import Heard, prompt

Told = tuple[Book, Annotations]
ANSWER = (
    "Bess Farrow is a brown and obliging woman who comes by the morning train [1]. "
    "She corrects the tide table and writes to Mr. Nuttall [3]. "
    "She saves Captain Crane from the water and becomes the senior clerk [5]."
)


def words_of(seen: Seen) -> int:
    return sum(len(m["content"].split()) for m in seen.body["messages"])


def test_an_answer(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(says(ANSWER))
    writer = PortraitWriter(make())
    draft = writer.generate(prompt(harbour, "bess"), AnswerLimits(words=60, seed=5, temperature=0.2))
    assert [[c.chapter for c in s.citations] for s in draft.sentences] == [[0], [1], [2]]
    assert writer.name == f"openai/1:llama-3@{fake.url}/v1"
    assert (draft.usage.calls, draft.usage.prompt_tokens, draft.usage.completion_tokens) == (1, 40, 9)
    (seen,) = fake.asked()
    assert (seen.body["seed"], seen.body["temperature"]) == (5, 0.2)
    assert "morning train" in seen.body["messages"][1]["content"]


def test_it_is_chosen_by_name(fake: Fake, harbour: Told) -> None:
    fake.reply(says(ANSWER))
    writer = make_generator("openai", setup=WriterSetup(openai=OpenAISetup(url=fake.url, model="llama-3")))
    assert len(writer.generate(prompt(harbour, "bess"), AnswerLimits()).sentences) == 3


def test_it_is_heard_as_it_comes(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(says(ANSWER, pause=0.02))
    heard = Heard()
    draft = PortraitWriter(make()).generate(prompt(harbour, "bess"), AnswerLimits(), audience=heard)
    assert len(heard.pieces) > 20
    assert heard.text.strip() == ANSWER
    assert len(draft.sentences) == 3


def test_whoever_leaves_ends_the_stream(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(says(ANSWER * 200, pause=0.02))
    begun = time.monotonic()
    with pytest.raises(WritingCancelled):
        PortraitWriter(make()).generate(prompt(harbour, "bess"), AnswerLimits(), audience=Heard(patience=5))
    assert time.monotonic() - begun < 15
    assert fake.hung_up.wait(15)


def test_the_plan_is_what_the_server_counts(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(vllm_tokenize, path="/tokenize")
    fake.reply(says(ANSWER))
    writer, asked = PortraitWriter(make()), prompt(harbour, "bess")
    plan = writer.plan(asked, AnswerLimits())
    assert not fake.asked(), "a plan asks for no answer"
    writer.generate(asked, AnswerLimits())
    (seen,) = fake.asked()
    assert plan.calls == 1
    assert plan.prompt_tokens == 100 + words_of(seen)
    assert plan.completion_tokens == seen.body["max_tokens"]


def test_without_a_tokenizer_the_plan_is_on_the_safe_side(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(says(ANSWER))
    writer, asked = PortraitWriter(make()), prompt(harbour, "bess")
    plan = writer.plan(asked, AnswerLimits())
    writer.generate(asked, AnswerLimits())
    assert 1.3 * words_of(fake.asked()[0]) < plan.prompt_tokens < 2.5 * words_of(fake.asked()[0])


@pytest.mark.parametrize("tokenizer", [True, False])
def test_passages_are_left_out_until_the_prompt_fits(
    fake: Fake, make: Make, harbour: Told, tokenizer: bool
) -> None:
    fake.reply(says(ANSWER))
    if tokenizer:
        fake.reply(vllm_tokenize, path="/tokenize")
    book, annotations = harbour
    whole = prompt((book, annotations), "bess")
    many = replace(whole, passages=whole.passages * 40)
    model = make(context=2000)
    draft = PortraitWriter(model).generate(many, AnswerLimits())
    (seen,) = fake.asked()
    assert any("Left out" in note for note in draft.notes)
    counted = 100 + words_of(seen) if tokenizer else int(1.3 * words_of(seen))
    assert 1200 < counted + seen.body["max_tokens"] <= 2000, "full, and not over"
    assert len(fake.asked("/tokenize")) < len(many.passages) + 15, "each line once, and a few whole prompts"


def test_a_context_that_is_too_small_is_told_before_anybody_is_asked(
    fake: Fake, make: Make, harbour: Told
) -> None:
    with pytest.raises(PromptTooLong):
        PortraitWriter(make(context=300)).generate(prompt(harbour, "bess"), AnswerLimits())
    assert not fake.asked()


def test_a_server_that_takes_less_than_it_seemed_is_fitted_at_once(
    fake: Fake, make: Make, harbour: Told
) -> None:
    """The context is unknown, so the first prompt is too long. The refusal says by how much."""
    limit = 1500

    def reply(handler: Handler, seen: Seen) -> None:
        over = words_of(seen) * 1.3 + seen.body["max_tokens"] > limit
        said = f"This model's maximum context length is {limit} tokens. Please reduce the length."
        (error(400, said) if over else says(ANSWER))(handler, seen)

    fake.reply(reply)
    whole = prompt(harbour, "bess")
    writer, many = PortraitWriter(make()), replace(whole, passages=whole.passages * 40)
    heard = Heard()
    draft = writer.generate(many, AnswerLimits(), audience=heard)
    assert len(draft.sentences) == 3
    assert len(heard.voided) == 1
    assert len(fake.asked()) == 2


def test_a_budget_is_kept(fake: Fake, make: Make, harbour: Told) -> None:
    with pytest.raises(BudgetExceeded):
        PortraitWriter(make()).generate(prompt(harbour, "bess"), AnswerLimits(tokens=100))
    assert not fake.asked()


def test_a_whole_book_in_stretches_side_by_side(fake: Fake, make: Make, harbour: Told) -> None:
    fake.reply(says(ANSWER, pause=0.05))
    whole = replace(prompt(harbour, "bess"), strategy=Strategy.HIERARCHICAL)
    many = replace(whole, passages=whole.passages * 60)
    writer = PortraitWriter(make(context=3000, concurrency=3))
    plan = writer.plan(many, AnswerLimits())
    draft = writer.generate(many, AnswerLimits())
    assert draft.usage.calls == len(fake.asked()) > 4
    assert draft.usage.calls <= plan.calls
    assert 1 < fake.peak <= 3


def test_a_cast_whose_entries_are_not_to_be_had_at_once(fake: Fake, make: Make, harbour: Told) -> None:
    entry = "{0} is known at the Board and comes there on most days [1]. Nothing else is told of {0} here."

    def reply(handler: Handler, seen: Seen) -> None:
        task = seen.body["messages"][1]["content"]
        asked = [n for n in ("Bess Farrow", "Tom Farrow") if f"## {n}" in task]
        text = "\n\n".join(f"## {n}\n{entry.format(n)}" for n in asked) if len(asked) == 1 else "No template."
        says(text)(handler, seen)

    fake.reply(reply)
    draft = PortraitWriter(make()).generate(
        prompt(harbour, "bess", "tom", task=Task.JOINT), AnswerLimits(words=20)
    )
    assert {s.characters for s in draft.sentences} == {("bess",), ("tom",)}
    assert draft.usage.calls == 3
    assert any("one by one" in note for note in draft.notes)


def test_a_context_that_shrinks_for_nothing_is_told(fake: Fake, make: Make, harbour: Told) -> None:
    """The server refuses every prompt, however short."""
    fake.reply(error(400, "This model's maximum context length is 1500 tokens."))
    whole = prompt(harbour, "bess")
    with pytest.raises(PromptTooLong):
        PortraitWriter(make()).generate(whole, AnswerLimits())
    assert len(fake.asked()) == 2
