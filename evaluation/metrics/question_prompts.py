"""The prompts that ask a language model for questions and for answers."""

from __future__ import annotations

from generation.models.prompt_files import PromptFiles
from generation.models.types import Message, MessageRole

PROMPTS = PromptFiles("evaluation.metrics", 1, ("system", "questions", "answers"))


def messages(name: str, **values: str) -> tuple[Message, ...]:
    return Message(MessageRole.SYSTEM, PROMPTS.piece("system")), Message(
        MessageRole.USER, PROMPTS.fill(name, **values)
    )
