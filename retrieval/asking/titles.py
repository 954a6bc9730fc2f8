"""The chapters that a question names by their titles: “in Clay”, “in ‘The Speckled Band’”."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from books.shape.headings.numbers import parse_number
from books.types import Span
from retrieval.asking.chapters import asked_chapters

_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"[.:,—–]\s+|--|：\s*|(?<=[章回])\s*")
_LEAST: Final = 3
"""Words at the end of a title that name it, as “The Blue Gem” names “The Adventure of the Blue Gem”."""
_OPENED: Final = re.compile(r"[“‘\"'《「『]\s*$")
_CLOSED: Final = re.compile(r"[,.?!]?[”’\"'》」』]")
_LED: Final = re.compile(r"\b(?:in|during|the\s+\w+\s+of)(?:\s+the\s+(?:chapter|story))?\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitledChapter:
    span: Span
    """The title in the question."""
    numbers: tuple[int, ...]
    """Counted from 1. Several chapters may have one title."""
    quoted: bool
    """Whether it is in quotation marks. Otherwise it may mean something else: a place, a person."""
    capitals: bool
    """Whether it is written as titles are."""


def named_chapters(question: str, titles: tuple[str, ...]) -> Iterator[TitledChapter]:
    """Yield the chapters whose titles are in a question, the longest title at each place."""
    numbers = _numbers(titles)
    words = list(_WORD.finditer(question))
    folded = _folded(question)
    after = 0
    for at, first in enumerate(words):
        quoted = _OPENED.search(question, 0, first.start()) is not None
        if at < after or not (quoted or _LED.search(question, 0, first.start())):
            continue
        for end in range(len(words), at, -1):
            span = Span(first.start(), words[end - 1].end())
            closed = _CLOSED.match(question, span.end) is not None
            if folded[at:end] in numbers and (closed or not quoted):
                capitals = first[0][0].isupper() and words[end - 1][0][0].isupper()
                yield TitledChapter(span, numbers[folded[at:end]], quoted, capitals)
                after = end
                break


@lru_cache(maxsize=8)
def _numbers(titles: tuple[str, ...]) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the chapters that words name. “Chapter 3” alone counts them, and names none."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, title in enumerate(titles, start=1):
        parts = [_folded(title[start:]) for start in (0, *(part.end() for part in _PART.finditer(title)))]
        name = max(parts[1:], key=len, default=parts[0])
        for words in {*parts, *(name[at:] for at in range(1, len(name) - _LEAST + 1))}:
            written = " ".join(words)
            counted = asked_chapters(written, 1)
            if written and parse_number(written) is None and (counted is None or counted.rest):
                found[words].append(number)
    return {words: tuple(numbers) for words, numbers in found.items()}


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word[0].casefold() for word in _WORD.finditer(text))
