"""The prompts that ask a language model which sentences of a summary confuse its readers."""

from __future__ import annotations

from collections.abc import Sequence

from generation.models.prompt_files import PromptFiles
from generation.models.prompt_quoting import quoted
from generation.models.types import CompletionRequest, Message, MessageRole

PROMPTS = PromptFiles(
    "evaluation.booookscore",
    1,
    ("system", "kinds", "example", "example_single", "example_batch", "single", "batch", "again"),
)
_ANSWER = 160
"""Tokens of an answer about one sentence: several questions and types."""


def request(summary: str, sentences: Sequence[str]) -> CompletionRequest:
    """Ask about one sentence as the paper does, or about several with their numbers."""
    shown = "\n\n".join(quoted(part) for part in summary.split("\n") if part.strip())
    common = {"kinds": PROMPTS.piece("kinds"), "example": PROMPTS.piece("example"), "summary": shown}
    if len(sentences) == 1:
        examples = PROMPTS.piece("example_single")
        content = PROMPTS.fill("single", examples=examples, sentence=quoted(sentences[0]), **common)
    else:
        content = PROMPTS.fill(
            "batch",
            examples=PROMPTS.piece("example_batch"),
            sentences="\n".join(f"{n}. {quoted(each)}" for n, each in enumerate(sentences, 1)),
            count=str(len(sentences)),
            **common,
        )
    messages = (Message(MessageRole.SYSTEM, PROMPTS.piece("system")), Message(MessageRole.USER, content))
    return CompletionRequest(messages, _ANSWER * len(sentences), temperature=0.0)


def once_more(asked: CompletionRequest, said: str) -> CompletionRequest:
    """Ask for a usable answer to the same request."""
    answered = Message(MessageRole.ASSISTANT, said or "…")
    again = Message(MessageRole.USER, PROMPTS.piece("again"))
    return CompletionRequest((*asked.messages, answered, again), asked.max_tokens, temperature=0.0)
