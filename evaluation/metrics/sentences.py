"""The sentences of an answer, English or Chinese."""

from __future__ import annotations

import re

from retrieval.sentences import split
from retrieval.tokenizer import has_han

_CHINESE = re.compile(r"[^。！？!?…]*[。！？!?…]+[”’」』）]*|[^。！？!?…]+$")
_WORD = re.compile(r"\w")


def sentences_of(text: str) -> list[str]:
    """Return the sentences that contain a word."""
    found = _CHINESE.findall(text) if has_han(text) else [span.of(text) for span in split(text)]
    return [sentence.strip() for sentence in found if _WORD.search(sentence)]
