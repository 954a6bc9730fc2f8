"""Chapter numbers as books write them: arabic, roman, in words, in Chinese."""

from __future__ import annotations

import re
from functools import cache

from books import lists

_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,4})(XC|XL|L?X{0,4})(IX|IV|V?I{0,4})")
_CAPITALIZED = re.compile(r"[IVXLC][ivxlc]+")
"""`Chapter Iii`, as Word capitalizes each word. Without D and M, whose numbers are words: `Di`, `Mix`."""
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ARABIC = re.compile(r"([0-9０-９]{1,4})(?:st|nd|rd|th|d)?", re.I)
_NINE = ["〇零○", "一壹", "二贰两兩", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖"]
_DIGITS = {c: n for n, same in enumerate(_NINE) for c in same}
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
CHINESE = "0-9０-９" + "".join((*_DIGITS, *_TENS)) + "廿卅"
"""The characters of Chinese numbers, for a character class."""
_MAX_ROMAN = 16
_ROUND = {20: 10, 30: 10, 40: 10, 50: 10, 60: 10, 70: 10, 80: 10, 90: 10, 100: 100}
"""The limit of what may follow: `twenty` leaves room for a unit, `hundred` for anything below it."""


@cache
def _words() -> dict[str, int]:
    rows = [line.split() for line in lists.lines("books", "data/number_words.txt")]
    return {word: int(value) for *words, value in rows for word in words}


@cache
def number_words() -> frozenset[str]:
    """Return every word that a number may begin with."""
    return frozenset(_words())


@cache
def ordinals() -> frozenset[str]:
    """Return `first`, `second`, `last`: words that may precede the word they count."""
    rows = [line.split() for line in lists.lines("books", "data/number_words.txt")]
    return frozenset(row[1] for row in rows)


def parse_number(token: str) -> int | None:
    """Return the value of `12`, `XII`, `twelve`, `twenty-first`, `十二`; 0 for `last`, None if invalid."""
    token = token.strip().rstrip(".:")
    arabic = _ARABIC.fullmatch(token)
    if arabic:
        return int(arabic[1])
    upper = token.upper()
    written = token in (upper, token.lower()) or _CAPITALIZED.fullmatch(token)
    if len(token) <= _MAX_ROMAN and written and _ROMAN.fullmatch(upper):
        return _roman(upper)
    return _chinese(token) if token and ord(token[0]) > 0x2FFF else _in_words(token.lower())


def _roman(token: str) -> int:
    total = 0
    for here, after in zip(token, token[1:] + " ", strict=True):
        value = _VALUES[here]
        total += -value if value < _VALUES.get(after, 0) else value
    return total


def _in_words(token: str) -> int | None:
    """Parse at most four words in falling order: `one hundred and twenty first`, not `two one`."""
    parts = [part for part in re.split(r"[\s-]+", token) if part != "and"]
    values = [_words().get(part) for part in parts]
    if not 0 < len(values) <= 4:
        return None
    total = room = 0
    for value in values:
        if value is None or (value == 0 and len(values) > 1):
            return None
        if value == 100 and 0 < total < 10:
            total, room = 100 * total, 100
        elif not total or value < room:
            total, room = total + value, _ROUND.get(value, 0)
        else:
            return None
    return total


def _chinese(token: str) -> int | None:
    """Parse `二十三`, `一百零五`, `两千`, and digits in a row: `一二三`."""
    token = token.replace("廿", "二十").replace("卅", "三十")
    if not token or any(c not in _DIGITS and c not in _TENS for c in token):
        return None
    if all(c in _DIGITS for c in token):
        return int("".join(str(_DIGITS[c]) for c in token)) if len(token) <= 4 else None
    total = digit = 0
    for c in token:
        if c in _DIGITS:
            digit = _DIGITS[c]
        else:
            total += (digit or 1) * _TENS[c]
            digit = 0
    return total + digit
