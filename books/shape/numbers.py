"""Chapter numbers as books write them: arabic, roman, in words."""

from __future__ import annotations

import re
from functools import cache

from books import lists

_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,4})(XC|XL|L?X{0,4})(IX|IV|V?I{0,4})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


@cache
def _words() -> dict[str, int]:
    rows = [line.split() for line in lists.lines("books", "data/number_words.txt")]
    return {word: int(value) for *words, value in rows for word in words}


def parse_number(token: str) -> int | None:
    """The value of `12`, `XII`, `twelve`, `twelfth`, `twenty-first`; None for anything else."""
    token = token.strip().rstrip(".:")
    if token.isdecimal() and token.isascii():
        return int(token)
    return _roman(token.upper()) if _ROMAN.fullmatch(token.upper()) else _in_words(token.lower())


def _roman(token: str) -> int:
    total = 0
    for here, after in zip(token, token[1:] + " ", strict=True):
        value = _VALUES[here]
        total += -value if value < _VALUES.get(after, 0) else value
    return total


def _in_words(token: str) -> int | None:
    parts = [_words().get(part) for part in re.split(r"[\s-]+", token)]
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) and len(parts) <= 2 else None
