"""The chapters that a question names: “in chapter 3”, “in the last chapter”, “by the end of chapter IV”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from books.shape.headings.numbers import CHINESE, number_words, ordinals, parse_number

_BEFORE_MARK = re.compile(r"\s+(?=[?.,;!？。，；！])")
_LAST_IN_CHINESE = ("最后一", "最後一", "末")
_LAST = ("last", *_LAST_IN_CHINESE)


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
    every = (*_named().finditer(question), *_named_in_chinese().finditer(question))
    in_order = sorted(every, key=lambda match: match.start())
    found = [(match, numbers) for match in in_order if (numbers := _of(match, count))]
    if not found:
        return None
    rest = question
    for match, _ in reversed(found):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    return AskedChapters(
        tuple(sorted({number for _, numbers in found for number in numbers})),
        until=all(match["before"] or match["until"] for match, _ in found),
        rest=_BEFORE_MARK.sub("", " ".join(rest.split())).strip(" ,，"),
    )


def without_chapters(question: str) -> str:
    asked = asked_chapters(question, 1)
    return asked.rest if asked else question


def _of(match: re.Match[str], count: int) -> list[int]:
    """Return the numbers that are named in one place."""
    numbers: list[int] = []
    said = match.groupdict()
    parts = _part_in_chinese() if match.re is _named_in_chinese() else _part()
    for part in parts.finditer(said.get("ordinal") or said["numbers"]):
        value = count if part["number"].lower() in _LAST else parse_number(part["number"])
        if value is None:
            return []
        listed = not numbers or (said.get("between") is None and part["and"])
        numbers += [value] if listed else range(numbers[-1] + 1, value + 1)
    if said["before"]:
        return list(range(1, numbers[0])) or [0]
    if said["until"]:
        return list(range(1, numbers[-1] + 1)) or [0]
    return list(range(numbers[-1] + 1, count + 1)) or [count + 1] if said["after"] else numbers


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
        rf"[“‘\"']?\b(?:chapters?\s+(?P<numbers>{_number()}(?:{more})*)|(?P<ordinal>{ordinal})\s+chapter\b)"
        r"[”’\"']?",
        re.IGNORECASE,
    )


_IN_CHINESE = rf"(?:第?\s*[{CHINESE}]{{1,9}}|{'|'.join(_LAST_IN_CHINESE)})"


@cache
def _part_in_chinese() -> re.Pattern[str]:
    last = "|".join(_LAST_IN_CHINESE)
    return re.compile(rf"[\s章回]*(?P<and>[和与與及、])?[第到至—–\s-]*(?P<number>[{CHINESE}]+|{last})")


@cache
def _named_in_chinese() -> re.Pattern[str]:
    first = _IN_CHINESE.replace("第?", "第")
    more = rf"\s*[章回]?\s*[和与與及、到至—–-]+\s*{_IN_CHINESE}"
    return re.compile(
        rf"(?:(?P<until>直?到|截至)|在|从|從)?(?P<numbers>{first}(?:{more})*)\s*[章回]"
        r"(?:(?P<before>[之以]?前)|(?P<after>[之以]?[后後])|为止|為止|[里裡中内內末])?的?"
    )
