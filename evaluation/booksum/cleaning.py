"""Clean a study guide's summary: leave out headings, analyses and what belongs to the page.

BookSum's summaries are JSON objects that keep an analysis apart under a name of its own, or plain text. In
plain text an analysis begins at its heading and ends at the next heading that is not one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from books import lists
from books.shape.headings.numbers import parse_number

_ANALYSES = {"analysis", "commentary"}
_LABEL = re.compile(r"^(?:(?:plot|chapter|full|brief)\s+)?(?:summary|synopsis)\s*[:.\-–—]+\s*", re.IGNORECASE)
"""In front of a paragraph: `Summary: Anne leaves.`"""
_ANALYSIS = re.compile(r"^(?:analysis|commentary)\s*[:\-–—]\s*\S", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_LONGEST_HEADING = 12
"""Words."""
_TAG = re.compile(r"</?[a-z][^<>]{0,80}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CleanedSummary:
    paragraphs: tuple[str, ...]
    dropped: tuple[str, ...]
    """Lines that were left out."""


def clean_summary(content: str) -> CleanedSummary:
    """Return the paragraphs of a summary; a line that is not empty is one."""
    kept: list[str] = []
    dropped: list[str] = []
    analysing = False
    for line in _lines(content):
        heading = _heading(line)
        if heading is not None:
            analysing = bool(heading & _ANALYSES) and "summary" not in heading
        if heading is not None or analysing or _ANALYSIS.match(line) or _of_page(line):
            dropped.append(line)
        elif bare := _LABEL.sub("", line):
            kept.append(bare)
    return CleanedSummary(tuple(kept), tuple(dropped))


def _lines(content: str) -> Iterator[str]:
    for paragraph in _paragraphs(content):
        for line in _TAG.sub(" ", paragraph).splitlines():
            if line.strip():
                yield " ".join(line.split())


def _paragraphs(content: str) -> Sequence[str]:
    """Return the `summary` of a JSON object; anything else is plain text."""
    try:
        told: Any = json.loads(content)
    except json.JSONDecodeError:
        return [content]
    if isinstance(told, dict):
        told = told.get("summary", "")
    if isinstance(told, list):
        return [str(each) for each in told]
    return [told] if isinstance(told, str) else [content]


def _heading(line: str) -> set[str] | None:
    """Return the words of a line that is a heading; None for any other line."""
    words = [word.lower() for word in _WORD.findall(line)]
    if not words or len(words) > _LONGEST_HEADING:
        return None
    known = all(word in _heading_words() or parse_number(word) for word in words)
    return set(words) if known else None


@cache
def _heading_words() -> frozenset[str]:
    rows = lists.lines("evaluation.booksum", "summary_headings.txt")
    return frozenset(word for row in rows for word in row.split())


def _of_page(line: str) -> bool:
    return line.lower().startswith(lists.lines("evaluation.booksum", "summary_boilerplate.txt"))
