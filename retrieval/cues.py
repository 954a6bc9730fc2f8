"""Where the book says what people are: describing phrases ("was a", "seemed") and words of kinship and rank.

Found once, when the index is built; a passage is telling when such a cue stands next to a mention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.types import Passage

VERSION = 1
_WORDS = Path(__file__).parent / "words"

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
    lines = (_WORDS / name).read_text("utf-8").splitlines()
    phrases = [
        r"\s+".join(map(re.escape, line.split())) for line in lines if line and not line.startswith("#")
    ]
    return re.compile(rf"\b(?:{'|'.join(phrases)}){ending}\b", re.IGNORECASE)
