"""English verb forms and stems, as far as word lists cover them."""

from __future__ import annotations

import re
from functools import cache

from coref.language.lemmas import irregular_verbs
from generation.lexicon import rows, words

_SUFFIXES = (
    ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ousness", "ous"), ("ication", "icate"),
    ("ations", ""), ("ation", ""), ("ments", ""), ("ment", ""), ("nesses", ""), ("ness", ""), ("ingly", ""),
    ("edly", ""), ("ions", ""), ("ion", ""), ("ings", ""), ("ing", ""), ("ied", "y"), ("ies", "y"),
    ("ed", ""), ("ly", ""), ("es", ""), ("s", ""),
)  # fmt: skip
_DOUBLED = re.compile(r"([bdfgklmnprt])\1$")


@cache
def past_base(word: str) -> str | None:
    """Return the base of a past-tense form ("refused" gives "refuse"), None for anything else."""
    if word in _irregular_pasts():
        return _irregular_pasts()[word]
    if not word.endswith("ed") or len(word) < 4 or word in words("not_verbs"):
        return None
    return _regular_base(word)


@cache
def participle_base(word: str) -> str | None:
    """Return the base of a past participle ("taken", "refused")."""
    return _irregular_participles().get(word) or past_base(word)


@cache
def stem(word: str) -> str:
    """Return the stem that a word shares with related words, without inflections and the commonest
    endings.
    """
    low = word.lower().replace("’", "'").removesuffix("'s")
    base = _irregular_pasts().get(low) or _irregular_participles().get(low)
    if base:
        return _bare(base)
    for suffix, instead in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3 and not low.endswith("ss"):
            return _bare(low[: len(low) - len(suffix)] + instead)
    return _bare(low)


@cache
def known_verbs() -> frozenset[str]:
    deeds = (verb for row in rows("deeds") for verb in row[1:])
    return frozenset(deeds) | words("thinks") | words("says")


def _bare(word: str) -> str:
    """Remove a doubled consonant or a silent e, so that "stopped" matches "stop" and "hoping"
    matches "hope".
    """
    word = _DOUBLED.sub(r"\1", word)
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _regular_base(word: str) -> str:
    candidates = [word[:-1], word[:-2], word[:-3] if _DOUBLED.search(word[:-2]) else word[:-2]]
    if word.endswith("ied"):
        candidates.insert(0, word[:-3] + "y")
    known = [c for c in candidates if c in known_verbs()]
    return known[0] if known else candidates[0 if word.endswith("ied") else 1]


@cache
def _irregular_pasts() -> dict[str, str]:
    return {past: base for base, past, _ in irregular_verbs()}


@cache
def _irregular_participles() -> dict[str, str]:
    return {participle: base for base, _, participle in irregular_verbs()}
