"""The texts with which a language model is asked to judge."""

from __future__ import annotations

from generation.promptfiles import PromptFiles

PROMPTS = PromptFiles("generation.judges", 1, ("system", "judge"))
