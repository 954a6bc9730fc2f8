"""The prompts that ask a language model for facts."""

from __future__ import annotations

from generation.models.prompt_files import PromptFiles

PROMPTS = PromptFiles(
    "generation.checking.claims",
    1,
    ("system", "extract", "classify", "repair", "example_question", "example_answer"),
)
