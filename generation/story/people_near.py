"""Those who were there last, where a reader has stopped."""

from __future__ import annotations

from collections import Counter
from typing import Final

from coref.types import Character, MentionKind
from generation.types import Context

_PEOPLE: Final = 6
_CHAPTERS: Final = 2
"""Number of the last chapters in which they are mentioned."""
_TIMES: Final = 3
"""How often at least."""


def people_near(context: Context) -> tuple[Character, ...]:
    """Return the most mentioned characters of the last chapters that the reader has reached."""
    chapters = context.book.chapters[-_CHAPTERS:]
    start = chapters[0].span.start if chapters else 0
    counts = Counter(
        mention.character
        for mention in context.annotations.mentions
        if mention.span.start >= start and mention.kind is not MentionKind.NOMINAL
    )
    met = [c for c in context.annotations.characters if counts[c.id] >= _TIMES]
    return tuple(sorted(met, key=lambda c: -counts[c.id])[:_PEOPLE])
