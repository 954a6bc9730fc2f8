"""Dates as letters and diaries write them."""

from __future__ import annotations

import re
from functools import cache

from books import lists


@cache
def date_pattern() -> re.Pattern[str]:
    month = "|".join(word for line in lists.lines("books", "data/months.txt") for word in line.split())
    weekday = "|".join(lists.lines("books", "data/weekdays.txt"))
    day = r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?"
    return re.compile(
        rf"(?P<date>(?:(?:{weekday})[,.]?\s+)?"
        rf"(?:(?:{month})\b\.?\s+{day}|{day}\.?\s+(?:of\s+)?(?:{month})\b)(?:,?\s+\d{{4}})?)\.?",
        re.I,
    )


@cache
def weekday_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(lists.lines('books', 'data/weekdays.txt'))})\b", re.I)


def opens_with_date(text: str) -> bool:
    return date_pattern().match(text.lstrip("_*[( ")) is not None


def opens_with_day(text: str) -> bool:
    """Return whether a text opens with `Monday.`, `Sunday morning`, or a date."""
    return opens_with_date(text) or weekday_pattern().match(text) is not None
