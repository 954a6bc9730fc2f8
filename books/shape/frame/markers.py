"""The lines with which Project Gutenberg has separated book and licence since 1991."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from books.types import Span


class MarkerKind(StrEnum):
    HEADER = "header"
    """The story follows the marker."""
    FOOTER = "footer"
    """The story precedes the marker."""


@dataclass(frozen=True, slots=True)
class Marker:
    kind: MarkerKind
    span: Span


_CLUES = (
    "GUTENBERG", "Gutenberg", "gutenberg",
    "SMALL PRINT", "Small Print", "small print",
    "FULL LICENSE", "Full License",
    "Updated editions will replace",
)  # fmt: skip
"""Only lines with one of these are examined closely: a search for fixed words is fast."""
_LINE = 300
_SMALL_PRINT_AT_MOST = 15_000
_PG = r"(?:the |this )?(?:copyrighted )?project\s+gutenberg"
_HEADER = re.compile(
    rf"\W{{0,9}}(?:start|beginning) of {_PG}|\W{{0,9}}end\W{{1,3}}(?:of )?the small print", re.I
)
_FOOTER = re.compile(
    rf"\W{{0,9}}(?:this is )?(?:the )?end of {_PG}|\W{{0,9}}start: full license"
    r"|the full project gutenberg license\W{0,9}$|updated editions will replace the previous one"
    r"|section 1\.\s+general terms of use and redistributing project gutenberg",
    re.I,
)
_SMALL_PRINT = re.compile(r"\W{0,9}start\W{1,3}the small print", re.I)
_CLOSED = re.compile(r"[^\n]{0,300}\*{2,3}[^\S\n]*$", re.M)


def markers(text: str) -> list[Marker]:
    """Return all markers in order."""
    found: list[Marker] = []
    for start, end in _lines(text):
        line = text[start:end].strip()
        if _HEADER.match(line):
            found.append(Marker(MarkerKind.HEADER, Span(start, _closed(text, start, end))))
        elif _FOOTER.match(line):
            found.append(Marker(MarkerKind.FOOTER, Span(start, end)))
        elif _SMALL_PRINT.match(line) and len(text) / 2 < start > len(text) - _SMALL_PRINT_AT_MOST:
            # In the oldest files it follows the book, and the end of the licence does not begin another.
            return [*found, Marker(MarkerKind.FOOTER, Span(start, end))]
    return found


def _closed(text: str, start: int, end: int) -> int:
    """Return the end of a marker whose line a long title broke.

    It ends at its asterisks, at most two lines further on.
    """
    line = text[start:end].strip()
    if not line.startswith("***") or line.endswith("**"):
        return end
    at = end
    for _ in range(2):
        following = _CLOSED.match(text, at + 1)
        if following:
            return following.end()
        at = text.find("\n", at + 1, at + _LINE)
        if at < 0 or text[at + 1 : at + 2] in ("", "\n"):
            break
    return end


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield lines with a clue, starting one line earlier where a marker was broken before its clue."""
    seen = -1
    for at in sorted(_clues(text)):
        start = text.rfind("\n", max(0, at - _LINE), at) + 1
        if start <= seen or (start == 0 and at > _LINE):
            continue
        seen = start
        end = text.find("\n", at, at + _LINE)
        before = text.rfind("\n", max(0, start - _LINE), max(0, start - 1)) + 1
        if at - start < 3 and text[before:start].strip().lower().endswith((" of the", " of this")):
            start = before
        yield start, end if end >= 0 else min(len(text), at + _LINE)


def _clues(text: str) -> Iterator[int]:
    for clue in _CLUES:
        at = text.find(clue)
        while at >= 0:
            yield at
            # The rest of this line adds nothing; without another line there is nothing more to find.
            after = text.find("\n", at)
            at = text.find(clue, after) if after >= 0 else -1
