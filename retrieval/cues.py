"""Find where the book describes people: phrases ("was a", "seemed") and words of kinship and rank.

They are found once, when the index is built; a passage is informative when such a cue is next to a mention.
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


def describing(text: str, pieces: Sequence[Passage]) -> Offsets:
    """Return the starts of phrases that say what someone is or is like."""
    return _starts(_pattern("describing.txt", ""), text, pieces)


def kin(text: str, pieces: Sequence[Passage]) -> Offsets:
    """Return the starts of words that relate one person to others."""
    return _starts(_pattern("kin.txt", "s?"), text, pieces)


def _starts(pattern: re.Pattern[str], text: str, pieces: Sequence[Passage]) -> Offsets:
    """Search each passage by itself: a phrase that continued in the next one would look past the gate."""
    found = (m.start() for p in pieces for m in pattern.finditer(text, p.span.start, p.span.end))
    return np.fromiter(found, dtype=np.int64)


@cache
def _pattern(name: str, ending: str) -> re.Pattern[str]:
    entries = lines("retrieval", f"words/{name}")
    phrases = [r"\s+".join(map(re.escape, entry.split())) for entry in entries]
    return re.compile(rf"\b(?:{'|'.join(phrases)}){ending}\b", re.IGNORECASE)
