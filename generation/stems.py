"""Stems of English words: what a word shares with its inflections and the commonest words made of it."""

from __future__ import annotations

import re
from functools import cache

from coref.language.lemmas import irregular_verbs

_SUFFIXES = (
    ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ousness", "ous"), ("ication", "icate"),
    ("ations", ""), ("ation", ""), ("ments", ""), ("ment", ""), ("nesses", ""), ("ness", ""), ("ingly", ""),
    ("edly", ""), ("ions", ""), ("ion", ""), ("ings", ""), ("ing", ""), ("ied", "y"), ("ies", "y"),
    ("ed", ""), ("ly", ""), ("es", ""), ("s", ""),
)  # fmt: skip
_DOUBLED = re.compile(r"([bdfgklmnprt])\1$")


@cache
def stem(word: str) -> str:
    """Return the stem of a word and its relatives, without inflections and the commonest endings."""
    low = word.lower().replace("’", "'").removesuffix("'s")
    base = _irregular_bases().get(low)
    if base:
        return _bare(base)
    for suffix, instead in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3 and not low.endswith("ss"):
            return _bare(low[: len(low) - len(suffix)] + instead)
    return _bare(low)


def _bare(word: str) -> str:
    """Remove a doubled consonant or a silent e: "stopped" matches "stop" and "hoping" matches "hope"."""
    word = _DOUBLED.sub(r"\1", word)
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@cache
def _irregular_bases() -> dict[str, str]:
    participles = {participle: base for base, _, participle in irregular_verbs()}
    return participles | {past: base for base, past, _ in irregular_verbs()}
