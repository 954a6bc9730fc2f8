"""Whether an answer believes what its model invented."""

from __future__ import annotations

import re
from typing import Any

from retrieval.tokenizer import terms

_WORD = re.compile(r"[^\W_]+")


def honest(portrait: dict[str, Any], book: str) -> bool:
    """Whether the answer is the offline one, or believes nothing of what is nowhere in the book."""
    made = portrait["provenance"]
    if portrait["rejected"] is not None:
        return bool(made["generator"].startswith("offline/") and made["extractor"].startswith("offline/"))
    assert made["generator"].startswith("openai/")
    assert made["extractor"].startswith("openai/"), "its sentences are split by the model"
    assert made["judge"].startswith("offline/"), "it may not judge itself"
    people = " ".join(person["name"] for person in portrait["characters"])
    believed = [s["text"] for s in portrait["sentences"] if s["citations"]]
    believed += [fact["text"] for fact in portrait["facts"] if fact["label"] == "supported"]
    return not any(foreign(text, book, people=people) for text in believed)


def foreign(text: str, book: str, *, people: str) -> bool:
    """Whether a text names somebody or something that the book never does, or has no word of it but names."""
    known, named = set(terms(book)), set(terms(people))
    words = _WORD.findall(text)
    strange = [w for w in words[1:] if (w[0].isupper() or w.isdigit()) and set(terms(w)) - known]
    said = set(terms(text)) - named
    return bool(strange) or not said & known
