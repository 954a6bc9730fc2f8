"""The chapters that a question names by their titles: “in Clay”, “in ‘The Speckled Band’”."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from books.shape.headings.headings import claims_of_title
from books.shape.headings.numbers import parse_number
from books.types import Span
from retrieval.asking.chapters import asked_chapters

_WORD: Final = re.compile(r"\w+")
_LEAST: Final = 3
"""Words at the end of a title that name it, as “The Blue Gem” names “The Adventure of the Blue Gem”."""
_MARKS: Final = r"[“‘\"'《「『]"
_CLOSED: Final = re.compile(r"[,.?!]?[”’\"'》」』]")
_LED: Final = re.compile(
    rf"\b(?:in|during|the\s+\w+\s+of)(?P<called>\s+the\s+(?:chapter|story))?\s+(?P<quoted>{_MARKS}\s*)?$",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(rf"(?P<quoted>{_MARKS}\s*)$")


@dataclass(frozen=True, slots=True)
class TitledChapter:
    span: Span
    """The title in the question."""
    numbers: tuple[int, ...]
    """Counted from 1. Several chapters may have one title."""
    led: bool
    """Whether words like “in” lead up to it, as to a chapter."""
    quoted: bool
    """Whether it is in quotation marks, or called a chapter. Otherwise it may be a place or a person."""
    capitals: bool
    """Whether it is of several words and written as titles are, in a question that is not all in capitals."""


def titled_chapters_in(question: str, titles: tuple[str, ...]) -> Iterator[TitledChapter]:
    """Yield the chapters whose titles are in a question, the longest title at each place."""
    numbers = _numbers(titles)
    words = list(_WORD.finditer(question))
    folded = _folded(question)
    after = 0
    for at, first in enumerate(words):
        led = _LED.search(question, 0, first.start())
        before = led or _QUOTED.search(question, 0, first.start())
        if at < after or before is None:
            continue
        marked = before["quoted"] is not None
        quoted = marked or (led is not None and led["called"] is not None)
        for end in range(len(words), at, -1):
            span = Span(first.start(), words[end - 1].end())
            closed = _CLOSED.match(question, span.end) is not None
            if folded[at:end] in numbers and (closed or not marked):
                written = end - at > 1 and first[0][0].isupper() and words[end - 1][0][0].isupper()
                capitals = written and not question.isupper()
                yield TitledChapter(span, numbers[folded[at:end]], led is not None, quoted, capitals)
                after = end
                break


@lru_cache(maxsize=8)
def _numbers(titles: tuple[str, ...]) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the chapters that words name. “Chapter 3” alone counts them, and names none."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, title in enumerate(titles, start=1):
        said = [claim.rest for claim in claims_of_title(title) if claim.rest] or [title]
        names = [_folded(name) for name in said]
        ends = [name[at:] for name in names for at in range(1, len(name) - _LEAST + 1)]
        for words in dict.fromkeys([_folded(title), *names, *ends]):
            written = " ".join(words)
            counted = asked_chapters(written, 1)
            if written and parse_number(written) is None and (counted is None or counted.rest):
                found[words].append(number)
    return {words: tuple(numbers) for words, numbers in found.items()}


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word[0].casefold() for word in _WORD.finditer(text))
