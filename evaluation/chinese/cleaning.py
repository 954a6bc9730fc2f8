"""What websites leave in the texts of novels: addresses, advertisements, and notes to the readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from books.types import Span
from evaluation.chinese.sources import lines


class NoiseKind(StrEnum):
    SITE = "site"
    ADVERTISEMENT = "advertisement"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Noise:
    """A stretch of a text that is not the novel's, for a person to look at."""

    span: Span
    kind: NoiseKind
    text: str


def noise(text: str) -> list[Noise]:
    """Return what does not belong to the novel, in order. Whole lines go before words within them."""
    found: list[Noise] = []
    at = 0
    for line in text.splitlines(keepends=True):
        found += _in_line(line, at)
        at += len(line)
    return found


def without(text: str, found: Sequence[Noise]) -> str:
    kept, at = "", 0
    for each in found:
        kept += text[at : each.span.start]
        at = each.span.end
    return kept + text[at:]


def _in_line(line: str, at: int) -> Iterator[Noise]:
    row = line.strip()
    for kind, whole, pattern in _patterns():
        if whole and pattern.search(row):
            start = at + line.index(row)
            yield Noise(Span(start, start + len(row)), kind, row)
            return
    taken = 0
    words = [
        (match, kind) for kind, whole, pattern in _patterns() if not whole for match in pattern.finditer(line)
    ]
    for match, kind in sorted(words, key=lambda each: each[0].start()):
        if match.start() >= taken:
            yield Noise(Span(at + match.start(), at + match.end()), kind, match[0])
            taken = match.end()


@cache
def _patterns() -> tuple[tuple[NoiseKind, bool, re.Pattern[str]], ...]:
    rows = (line.split(" ", 2) for line in lines("noise"))
    return tuple((NoiseKind(kind), where == "line", re.compile(pattern)) for kind, where, pattern in rows)
