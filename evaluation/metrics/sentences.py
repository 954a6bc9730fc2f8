"""The sentences of an answer, English or Chinese."""

from __future__ import annotations

import re
from typing import TypeVar

from retrieval.sentences import split
from retrieval.tokenizer import has_han

T = TypeVar("T")

_CHINESE = re.compile(r"[^。！？!?…]*[。！？!?…]+[”’」』）]*|[^。！？!?…]+$")
_WORD = re.compile(r"\w")


def sentences_of(text: str) -> list[str]:
    """Return the sentences that contain a word."""
    found = _CHINESE.findall(text) if has_han(text) else [span.of(text) for span in split(text)]
    return [sentence.strip() for sentence in found if _WORD.search(sentence)]


def spread(items: list[T], most: int) -> list[T]:
    """Return at most this many items, evenly spaced from the first to the last."""
    return items if len(items) <= most else [items[at * len(items) // most] for at in range(most)]
