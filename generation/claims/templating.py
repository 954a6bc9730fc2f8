"""The texts with which a language model is asked for facts."""

from __future__ import annotations

from generation.promptfiles import PromptFiles

PROMPTS = PromptFiles(
    "generation.claims", 1, ("system", "extract", "classify", "repair", "example_question", "example_answer")
)
