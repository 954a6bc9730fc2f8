"""What the model reads: words, their sentences, and which of them are spoken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

Range = tuple[int, int]
"""Half-open, in words."""


class Speech(IntEnum):
    NARRATED = 0
    SPOKEN = 1
    MARK = 2
    """The quote mark itself."""


@dataclass(frozen=True, slots=True)
class Document:
    words: tuple[str, ...]
    sentences: tuple[Range, ...]
    """In order; together they hold every word."""
    speech: tuple[Speech, ...]
    """One a word."""

    def __post_init__(self) -> None:
        if len(self.speech) != len(self.words):
            raise ValueError("every word is narrated, spoken or a mark")
        ends = [0, *(end for _, end in self.sentences)]
        if [start for start, _ in self.sentences] != ends[:-1] or ends[-1] != len(self.words):
            raise ValueError("the sentences do not tile the words")
