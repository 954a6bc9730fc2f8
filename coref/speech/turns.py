"""Turns: the consecutive quotations of one speaker in a paragraph, and in paragraphs that continue them."""

from __future__ import annotations

from dataclasses import dataclass, field

from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.speech_tags import SpeechTag

REACH = 6
"""Maximum number of paragraphs between two turns of one conversation."""


@dataclass(slots=True)
class Turn:
    chapter: int
    said: list[AttributedSpeech]
    quotes: list[int]
    """The indices of this speech among all quotations."""
    tag: SpeechTag | None = None
    called: set[int] = field(default_factory=set)
    """People named in its vocatives."""

    @property
    def paragraph(self) -> int:
        return self.said[0].speech.paragraph

    @property
    def last(self) -> int:
        return self.said[-1].speech.paragraph


def gap(one: Turn, other: Turn) -> int | None:
    """Return the number of paragraphs between two turns, or None if they are not one conversation."""
    paragraphs = other.paragraph - one.last
    return paragraphs if one.chapter == other.chapter and paragraphs <= REACH else None
