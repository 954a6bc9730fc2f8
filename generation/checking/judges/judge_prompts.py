"""Prompts that ask a language model to judge claims."""

from __future__ import annotations

from generation.models.prompt_files import PromptFiles

PROMPTS = PromptFiles("generation.checking.judges", 1, ("system", "judge"))
