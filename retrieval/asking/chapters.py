"""The chapters that a question names: “in chapter 3”, “in the last chapter”, “by the end of chapter IV”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from books.shape.headings.numbers import number_words, ordinals, parse_number

_BEFORE_MARK = re.compile(r"\s+(?=[?.,;!])")


@dataclass(frozen=True, slots=True)
class AskedChapters:
    numbers: tuple[int, ...]
    """Counted from 1. The book may lack some of them."""
    until: bool
    """Whether the question is about the book up to the last of them."""
    rest: str
    """The question without the words that name them."""


def asked_chapters(question: str, count: int) -> AskedChapters | None:
    """Return the chapters that a question names, of a book that has `count`; None if it names none."""
    found = [(match, numbers) for match in _named().finditer(question) if (numbers := _of(match, count))]
    if not found:
        return None
    rest = question
    for match, _ in reversed(found):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    return AskedChapters(
        tuple(sorted({number for _, numbers in found for number in numbers})),
        until=all(match["before"] or match["until"] for match, _ in found),
        rest=_BEFORE_MARK.sub("", " ".join(rest.split())).strip(" ,"),
    )


def without_chapters(question: str) -> str:
    asked = asked_chapters(question, 1)
    return asked.rest if asked else question


def _of(match: re.Match[str], count: int) -> list[int]:
    """Return the numbers that are named in one place: “last” is 0 until here."""
    numbers: list[int] = []
    for part in _part().finditer(match["ordinal"] or match["numbers"]):
        value = parse_number(part["number"])
        if value is None:
            return []
        value = value or count
        listed = not numbers or (match["between"] is None and part["and"])
        numbers += [value] if listed else range(numbers[-1] + 1, value + 1)
    if match["before"]:
        return list(range(1, numbers[0])) or [0]
    if match["until"]:
        return list(range(1, numbers[-1] + 1))
    return list(range(numbers[-1] + 1, count + 1)) or [count + 1] if match["after"] else numbers


@cache
def _number() -> str:
    words, last = ("|".join(sorted(some, reverse=True)) for some in (number_words(), ordinals()))
    return rf"(?:(?:{words})[ -](?:{words})|{words}|{last}|\d{{1,4}}(?:st|nd|rd|th)?|[ivxlc]+)\b"


@cache
def _part() -> re.Pattern[str]:
    joint = r"\s+(?:(?P<and>and|or)|to|through)\s+(?:chapters?\s+)?|\s*[-–—]\s*"
    return re.compile(rf"(?:{joint})?(?P<number>{_number()})", re.IGNORECASE)


@cache
def _named() -> re.Pattern[str]:
    more = r"(?:\s+(?:and|or|to|through)\s+(?:chapters?\s+)?|\s*[-–—]\s*)" + _number()
    last = "|".join(sorted(ordinals(), reverse=True))
    ordinal = rf"(?=(?:\w+[ -])?(?:{last}|\d+(?:st|nd|rd|th))\b){_number()}"
    return re.compile(
        r"(?:\b(?:(?P<before>before)|(?P<until>by|until|till|up\s+to)|(?P<after>after)|(?P<between>between)"
        r"|in|from|of|during|at)\s+)?(?:the\s+(?:\w+\s+of\s+(?:the\s+)?)?)?"
        rf"(?:\bchapters?\s+(?P<numbers>{_number()}(?:{more})*)|\b(?P<ordinal>{ordinal})\s+chapter\b)",
        re.IGNORECASE,
    )
