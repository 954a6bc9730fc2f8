"""Sentence boundaries, in the book and in texts about it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.lists import lines
from books.types import Span

_END = re.compile(r"(?:[.!?…]+[”’\"')\]]*(?=\s+[“‘\"'(\[—]*[A-Z0-9])|[。！？]+[”’」』]*)(?P<gap>\s*)")
_LAST_WORD = re.compile(r"([A-Za-z’']+)\.$")
_SPACE = re.compile(r"\s+")
_BROKEN = re.compile(r"(?:(?<=\w-)|(?<=\w--)|(?<=\w—))[^\S\n]*\n[^\S\n]*(?=\w)")
"""A line break behind a hyphen or dash that follows a word: `twenty-` ends a line, `seven` begins one."""


def split(text: str, within: Span | None = None) -> list[Span]:
    """Return the sentences of `text` (or of a span of it), in order, without surrounding space."""
    bounds = within or Span(0, len(text))
    spans: list[Span] = []
    start = bounds.start
    for match in _END.finditer(text, bounds.start, bounds.end):
        if not _abbreviates(text[max(start, match.start() - 12) : match.start() + 1]):
            spans.append(Span(start, match.start("gap")))
            start = match.end("gap")
    spans.append(Span(start, bounds.end))
    return [s for s in (trimmed(text, s) for s in spans) if len(s)]


def touched(span: Span, starts: NDArray[np.integer[Any]], ends: NDArray[np.integer[Any]]) -> range:
    """Return which of the sentences with these bounds, in order, overlap a span."""
    first = int(np.searchsorted(ends, span.start, "right"))
    return range(first, max(first, int(np.searchsorted(starts, span.end))))


def flat(text: str) -> str:
    """Return the text on one line. Line breaks of the source are not part of a sentence."""
    return _SPACE.sub(" ", _BROKEN.sub("", text)).strip()


def _abbreviates(before: str) -> bool:
    match = _LAST_WORD.search(before)
    if match is None:
        return False
    word = match.group(1)
    return (len(word) == 1 and word.isupper() and word != "I") or word.lower() in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word for line in lines("retrieval", "words/abbreviations.txt") for word in line.split())


def trimmed(text: str, span: Span) -> Span:
    """Return a span without the white space at its ends."""
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
