"""The texts with which a language model is asked for questions and for answers."""

from __future__ import annotations

from generation.models.types import Message, Role
from generation.promptfiles import PromptFiles

PROMPTS = PromptFiles("evaluation.metrics", 1, ("system", "questions", "answers"))


def messages(name: str, **values: str) -> tuple[Message, ...]:
    return Message(Role.SYSTEM, PROMPTS.piece("system")), Message(Role.USER, PROMPTS.fill(name, **values))
