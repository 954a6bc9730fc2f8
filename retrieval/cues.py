"""Where the book says what people are: describing phrases ("was a", "seemed") and words of kinship and rank.

Found once, when the index is built; a passage is telling when such a cue stands next to a mention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from books.lists import lines
from retrieval.types import Passage

VERSION = 1

Offsets = NDArray[np.int64]


def describing(text: str, told: Sequence[Passage]) -> Offsets:
    """Starts of the phrases that say what someone is or is like."""
    return _starts(_pattern("describing.txt", ""), text, told)


def kin(text: str, told: Sequence[Passage]) -> Offsets:
    """Starts of the words that place a person among others."""
    return _starts(_pattern("kin.txt", "s?"), text, told)


def _starts(pattern: re.Pattern[str], text: str, told: Sequence[Passage]) -> Offsets:
    """Passage by passage: a phrase that runs on into the next one would look past the gate."""
    found = (m.start() for p in told for m in pattern.finditer(text, p.span.start, p.span.end))
    return np.fromiter(found, dtype=np.int64)


@cache
def _pattern(name: str, ending: str) -> re.Pattern[str]:
    entries = lines("retrieval", f"words/{name}")
    phrases = [r"\s+".join(map(re.escape, entry.split())) for entry in entries]
    return re.compile(rf"\b(?:{'|'.join(phrases)}){ending}\b", re.IGNORECASE)
