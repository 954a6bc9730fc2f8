"""What surrounds the story in files as people have them: licence texts and what they say of the book."""

from __future__ import annotations

import re
from dataclasses import dataclass

from books.types import Exclusion, Part, Span

_START = re.compile(
    r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG[^\n]*\*\*\*[^\S\n]*$", re.MULTILINE | re.I
)
_END = re.compile(
    r"^(?:\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg)[^\n]*$",
    re.MULTILINE | re.I,
)
_FIELD = re.compile(r"^(Title|Author):[^\S\n]*(\S[^\n]*)$", re.MULTILINE)
_MAX_CUT = 0.3
"""A cut of more than this share of the text is more likely to be our mistake than the book's."""


@dataclass(frozen=True, slots=True)
class Framing:
    story: Span
    excluded: tuple[Exclusion, ...]
    title: str | None
    author: str | None
    warnings: tuple[str, ...]


def frame(text: str) -> Framing:
    """Find the licence header and footer, if any; they are excluded by span, never deleted."""
    start, end = _START.search(text), _END.search(text)
    story = Span(start.end() if start else 0, end.start() if end else len(text))
    if end and end.start() < story.start:
        story = Span(story.start, len(text))
    if len(text) - len(story) > _MAX_CUT * len(text):
        warning = "Licence markers were found, but they would cut away a third of the text: nothing was cut."
        return Framing(Span(0, len(text)), (), None, None, (warning,))
    excluded = []
    if story.start:
        excluded.append(Exclusion(Span(0, story.start), Part.FRONT, "licence header"))
    if story.end < len(text):
        excluded.append(Exclusion(Span(story.end, len(text)), Part.BACK, "licence footer"))
    fields = {name: value.strip() for name, value in _FIELD.findall(text[: story.start])}
    return Framing(story, tuple(excluded), fields.get("Title"), fields.get("Author"), ())
