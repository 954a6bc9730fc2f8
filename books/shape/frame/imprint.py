"""Find frames without a marker: paragraphs at the edges of a file about the file, not about the story."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

from books import lists

_READ = 20_000
_GAP = 2
"""This many paragraphs in between may be unrelated: a repeated title, a line of asterisks."""
_GAP_WORDS = 40
_LONGEST = 2400
_LOOKED_AT = 60
_CREDITS = re.compile(
    r"\W*(?:produced|prepared|transcribed|scanned|digitized|created|typed|proofed|proofread|html version)\b"
    r".{0,300} (?:by|from) ",
    re.I,
)
_FIELDS = re.compile(r"\W*(?:title|author|language|translator|editor):", re.I)
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")


def imprint_end(text: str, start: int) -> int:
    """Return the end of the frame's last paragraph, searching forward from a marker or the file's start."""
    head = text[start : start + _READ]
    found = [m.span() for m in islice(_PARAGRAPH.finditer(head), _LOOKED_AT)]
    reached = _reach(head, found, lambda said: _heads(said, credits=start > 0))
    return start + found[reached - 1][1] if reached else start


def imprint_start(text: str, end: int) -> int:
    """Return the start of the frame's first paragraph, searching back from a marker or the file's end."""
    begin = max(0, end - _READ)
    tail = text[begin:end]
    found = [m.span() for m in _PARAGRAPH.finditer(tail)][: -_LOOKED_AT - 1 : -1]
    reached = _reach(tail, found, _names_the_file)
    return begin + found[reached - 1][0] if reached else end


def _reach(text: str, paragraphs: Sequence[tuple[int, int]], belongs: Callable[[str], bool]) -> int:
    """Return how many of the paragraphs, counted from the edge, belong to the frame."""
    reached = idle = 0
    for count, (start, end) in enumerate(paragraphs, start=1):
        if end - start <= _LONGEST and belongs(" ".join(text[start:end].casefold().split())):
            reached, idle = count, 0
            continue
        idle += len(text[start:end].split())
        if count - reached > _GAP or idle > _GAP_WORDS:
            break
    return reached


def _names_the_file(said: str) -> bool:
    return any(phrase in said for phrase in lists.lines("books", "data/frame_phrases.txt"))


def _heads(said: str, *, credits: bool) -> bool:
    """Return whether a paragraph belongs to the header; producer credits count only after a marker.

    Elsewhere such a line may be the story.
    """
    return bool(_FIELDS.match(said) or (credits and _CREDITS.match(said))) or _names_the_file(said)
