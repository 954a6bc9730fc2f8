"""Ask a language model for the categories of existing facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from generation.checking.categories import categorise
from generation.checking.claims.json_asking import PROMPTS, JsonAsk, MalformedAnswer, ask
from generation.checking.claims.llm_extractor import category_of
from generation.models.prompt_quoting import quoted
from generation.models.protocols import LanguageModel
from generation.types import Category

TOGETHER = 20


def classify(model: LanguageModel, facts: Sequence[str]) -> tuple[list[Category], list[int]]:
    """Return a category for each fact, and the facts with an offline one, since the model gave none."""
    parts = [facts[at : at + TOGETHER] for at in range(0, len(facts), TOGETHER)]
    answers, _ = ask(model, [_ask(part) for part in parts])
    found: list[Category] = []
    offline: list[int] = []
    for part, got in zip(parts, answers, strict=True):
        if got.value is None:
            offline += range(len(found), len(found) + len(part))
        found += got.value if got.value is not None else categorise(part)
    return found, offline


def _ask(part: Sequence[str]) -> JsonAsk[list[Category]]:
    shown = "\n".join(f"{n}: {quoted(fact)}" for n, fact in enumerate(part, 1))
    messages = PROMPTS.messages("classify", sentences=shown, count=str(len(part)))
    return JsonAsk(messages, 40 + 12 * len(part), partial(_checked, count=len(part)))


def _checked(answer: Any, *, count: int) -> list[Category]:
    listed = answer.get("categories") if isinstance(answer, dict) else None
    if not isinstance(listed, list) or len(listed) != count:
        raise MalformedAnswer(f"it has no list called “categories” with {count} entries")
    found = [category_of(said) for said in listed]
    if None in found:
        raise MalformedAnswer(f"entry {found.index(None) + 1} is none of {', '.join(Category)}")
    return [c for c in found if c is not None]
