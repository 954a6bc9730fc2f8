"""How Word prints paragraph numbers: arabic, roman, letters, words, Chinese."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from books import lists

_ROMAN: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_DIGITS: Final = "〇一二三四五六七八九"
_PLACES: Final = ("", "十", "百", "千")
_MOST: Final = 9999
"""Word writes larger numbers in digits too; no book has so many chapters."""
_ALPHABET: Final = 26
_MOST_LETTERS: Final = 30
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def printed_number(number: int, kind: str) -> str:
    """Return a number in a `w:numFmt` format; in digits for an unknown format, and nothing for bullets."""
    if kind in ("bullet", "none"):
        return ""
    return _KINDS.get(kind, str)(number) if 0 < number <= _MOST else str(number)


def _roman(number: int) -> str:
    letters = ""
    for value, letter in _ROMAN:
        letters += letter * (number // value)
        number %= value
    return letters


def _letters(number: int) -> str:
    """Return a number as letters: `AA` and `BB` follow `Z`."""
    again, place = divmod(number - 1, _ALPHABET)
    return chr(ord("A") + place) * (again + 1) if again < _MOST_LETTERS else str(number)


def _ordinal(number: int) -> str:
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else _ENDINGS.get(number % 10, 'th')}"


@cache
def _words(column: int) -> Mapping[int, str]:
    """Return the words of one column: cardinals in the first, ordinals in the second."""
    rows = [line.split() for line in lists.lines("books", "data/number_words.txt")]
    return {int(row[2]): row[column] for row in rows}


def _cardinal_text(number: int) -> str:
    return _in_words(number, _words(0)).capitalize()


def _ordinal_text(number: int) -> str:
    return _in_words(number, _words(1)).capitalize()


def _in_words(number: int, last: Mapping[int, str]) -> str:
    """Return a number in words; only the last word is an ordinal. From a thousand on, digits are used."""
    hundreds, rest = divmod(number, 100)
    if hundreds > 9:
        return str(number)
    if not hundreds:
        return _below(rest, last)
    said = f"{_words(0)[hundreds]} {(_words(0) if rest else last)[100]}"
    return f"{said} {_below(rest, last)}" if rest else said


def _below(number: int, last: Mapping[int, str]) -> str:
    tens, unit = divmod(number, 10)
    if number in last:
        return last[number]
    return f"{_words(0)[10 * tens]}-{last[unit]}"


def _chinese(number: int) -> str:
    """Return a Chinese number: `十二`, `一百零五`."""
    said = ""
    for place, digit in enumerate(reversed(str(number))):
        if digit != "0":
            said = _DIGITS[int(digit)] + _PLACES[place] + said
        elif said and said[0] != "零":
            said = "零" + said
    return said.removeprefix("一") if said.startswith("一十") else said


def _chinese_digits(number: int) -> str:
    return "".join(_DIGITS[int(digit)] for digit in str(number))


_KINDS: Final[Mapping[str, Callable[[int], str]]] = {
    "upperRoman": _roman,
    "lowerRoman": lambda number: _roman(number).lower(),
    "upperLetter": _letters,
    "lowerLetter": lambda number: _letters(number).lower(),
    "ordinal": _ordinal,
    "cardinalText": _cardinal_text,
    "ordinalText": _ordinal_text,
    "decimalZero": lambda number: f"{number:02}",
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "japaneseCounting": _chinese,
    "taiwaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
    "ideographDigital": _chinese_digits,
    "taiwaneseDigital": _chinese_digits,
    "japaneseDigitalTenThousand": _chinese_digits,
}
