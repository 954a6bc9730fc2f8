"""A lesson's prompt is the service's own, and its answer ends as the template ends a turn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from books.types import Book
from coref.types import Annotations
from generation.answering import default_words
from generation.errors import PromptTooLong
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Message, MessageRole
from generation.training.base_model import find
from generation.training.cited_references import cited
from generation.training.tokenized_samples import ChatCoder, lesson_of
from generation.training.types import DataSplit, PlacedSample, TrainingLesson
from generation.types import AnswerLimits, Task
from generation.writing.templating import Templates, TemplateSet
from generation.writing.writer import PortraitWriter
from tests.generation.novel import passages
from tests.generation.training.school import asker, placed_of, short_templates

ASKED = [Message(MessageRole.SYSTEM, "Be brief."), Message(MessageRole.USER, "Who is Bess?")]


@pytest.fixture(scope="module")
def tokenizer(tiny_llama: Path) -> Any:
    return find(str(tiny_llama)).tokenizer()


@pytest.fixture(scope="module")
def coder(tokenizer: Any) -> ChatCoder:
    return ChatCoder(tokenizer)


def made(
    harbour: tuple[Book, Annotations], coder: ChatCoder, placed: PlacedSample, **changes: Any
) -> TrainingLesson:
    usual: dict[str, Any] = {
        "templates": Templates.load(),
        "prompt_of": asker(*harbour, most=3),
        "tokens": 4000,
        "budget": 2000,
    }
    return lesson_of(placed, coder=coder, **(usual | changes))


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS, Task.JOINT])
def test_the_prompt_is_the_services_own(
    harbour: tuple[Book, Annotations], coder: ChatCoder, tokenizer: Any, task: Task
) -> None:
    """Compared with what the writer asks a model, for every task."""
    people = ("bess", "tom") if task is Task.JOINT else ("bess",)
    sample = replace(placed_of("bess").sample, task=task, characters=people)
    placed = replace(placed_of("bess"), sample=sample)
    lesson = made(harbour, coder, placed)
    model = ScriptedModel(context=100_000)
    prompt = asker(*harbour, most=3)(placed, 1)
    PortraitWriter(model).generate(prompt, AnswerLimits(words=default_words(task)))
    [asked] = model.asked[0]
    assert list(lesson.example.prompt) == coder.prompt(asked.messages)
    assert "Bess" in tokenizer.decode(lesson.example.prompt)
    assert lesson.passages == 3
    assert set(lesson.characters) == set(people)


def test_a_prompt_is_in_the_chat_template(coder: ChatCoder, tokenizer: Any) -> None:
    assert tokenizer.decode(coder.prompt(ASKED)) == (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nWho is Bess?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_an_answer_ends_as_the_template_ends_a_turn(coder: ChatCoder, tokenizer: Any) -> None:
    import copy

    assert tokenizer.decode(coder.answer("A clerk.", ASKED)) == "A clerk.<|eot_id|>"
    other = copy.deepcopy(tokenizer)
    other.chat_template = tokenizer.chat_template.replace("<|eot_id|>", "<|end_of_text|>\n")
    assert other.eos_token == "<|eot_id|>"
    assert other.decode(ChatCoder(other).answer("A clerk.", ASKED)) == "A clerk.<|end_of_text|>"
    other.chat_template = tokenizer.chat_template.replace("<|eot_id|>", "\n")
    assert other.decode(ChatCoder(other).answer("A clerk.", ASKED)) == "A clerk.<|eot_id|>"


def test_what_a_reference_says_ends_nothing(coder: ChatCoder, tokenizer: Any) -> None:
    end = tokenizer.convert_tokens_to_ids("<|eot_id|>")
    assert coder.answer("He said <|eot_id|> twice.", ASKED).count(end) == 1


def test_passages_get_the_room_that_is_left(harbour: tuple[Book, Annotations], coder: ChatCoder) -> None:
    asked: list[int] = []
    find_passages = asker(*harbour, most=3)

    def prompt_of(placed: PlacedSample, tokens: int) -> Any:
        asked.append(tokens)
        return find_passages(placed, tokens)

    placed = placed_of("bess")
    whole = made(harbour, coder, placed, prompt_of=prompt_of)
    assert asked == [0, 2000]
    assert whole.left_out == 0
    needed = len(made(harbour, coder, placed, budget=0).example.prompt)
    tokens = needed + len(whole.example.answer) + 100
    asked.clear()
    short = made(harbour, coder, placed, prompt_of=prompt_of, tokens=tokens)
    assert asked[::2] == [0, 2000]
    assert 60 <= asked[1] <= 80
    assert short.passages < whole.passages
    assert short.left_out == whole.passages - short.passages
    assert len(short.example.prompt) + len(short.example.answer) <= tokens


def test_the_least_passages_go_first(
    harbour: tuple[Book, Annotations], coder: ChatCoder, tokenizer: Any, tmp_path: Path
) -> None:
    """If the retriever's count is too low, the passages must fit all the same."""
    book, _ = harbour
    scored = [replace(p, score=score) for p, score in zip(passages(book)[:3], (0.2, 0.9, 0.5), strict=True)]

    def prompt_of(placed: PlacedSample, tokens: int) -> Any:
        return replace(asker(*harbour)(placed, tokens), passages=tuple(scored) if tokens else ())

    templates = short_templates(tmp_path)
    sizes = {}
    for tokens in range(120, 900, 20):
        lesson = made(
            harbour, coder, placed_of("bess"), templates=templates, prompt_of=prompt_of, tokens=tokens
        )
        sizes[lesson.passages] = lesson.example
        assert len(lesson.example.prompt) + len(lesson.example.answer) <= tokens
    assert set(sizes) == {0, 1, 2, 3}
    shown = tokenizer.decode(sizes[1].prompt)
    assert " ".join(scored[1].text.split()) in shown.replace("\u200b", "")
    assert "[2] (chapter" in shown, "it keeps its number"


def test_an_answer_that_is_too_long_is_cut_and_has_no_end(
    harbour: tuple[Book, Annotations], coder: ChatCoder, tokenizer: Any, tmp_path: Path
) -> None:
    sample = replace(placed_of("bess").sample, reference="She is a clerk. " * 80)
    placed = replace(placed_of("bess"), sample=sample)
    lesson = made(harbour, coder, placed, templates=short_templates(tmp_path), tokens=200)
    assert lesson.cut
    assert lesson.passages == 0
    assert len(lesson.example.prompt) + len(lesson.example.answer) == 200
    assert lesson.example.answer[-1] != tokenizer.eos_token_id
    assert not made(harbour, coder, placed_of("bess")).cut


def test_instructions_that_are_too_long_name_the_line(
    harbour: tuple[Book, Annotations], coder: ChatCoder
) -> None:
    with pytest.raises(PromptTooLong, match="Line 9: the instructions alone take"):
        made(harbour, coder, placed_of("bess", DataSplit.TRAIN, line=9), tokens=100)


SAID = "Bess corrected the tide table and wrote to Mr. Nuttall. She was also an empress of the moon."


def test_a_reference_learns_to_cite_what_bears_it_out(
    harbour: tuple[Book, Annotations], coder: ChatCoder, tokenizer: Any
) -> None:
    shown = passages(harbour[0])
    number = next(n for n, p in enumerate(shown, 1) if "tide table" in p.text)
    placed = replace(placed_of("bess"), sample=replace(placed_of("bess").sample, reference=SAID))
    lesson = made(harbour, coder, placed, prompt_of=asker(*harbour, most=9))
    assert tokenizer.decode(lesson.example.answer, skip_special_tokens=True) == (
        f"Bess corrected the tide table and wrote to Mr. Nuttall [{number}]. "
        "She was also an empress of the moon."
    )
    plain = made(
        harbour,
        coder,
        placed,
        prompt_of=asker(*harbour, most=9),
        templates=Templates.load(shipped=TemplateSet.PAPER),
    )
    assert tokenizer.decode(plain.example.answer, skip_special_tokens=True) == SAID


def test_headings_are_not_cited_and_stops_stay_last(harbour: tuple[Book, Annotations]) -> None:
    text = "## The tide table\nBess corrected the tide table and wrote to Mr. Nuttall!\n\n## End\nShe sang."
    prompt = asker(*harbour, most=9)(placed_of("bess"), 1)
    every = range(1, len(prompt.passages) + 1)
    number = next(n for n in every if "tide table" in prompt.passages[n - 1].text)
    assert cited(text, prompt, list(every)) == text.replace("Nuttall!", f"Nuttall [{number}]!")
    without = [n for n in every if n != number]
    assert f"[{number}]" not in cited(text, prompt, without)
    assert cited(text, prompt, []) == text
