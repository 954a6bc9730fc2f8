"""The input of the model: words, their sentences, and which of them are spoken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

T = TypeVar("T")
Range = tuple[int, int]
"""Half-open, in words."""


class SpeechState(IntEnum):
    NARRATED = 0
    SPOKEN = 1
    MARK = 2
    """The quotation mark itself."""


@dataclass(frozen=True, slots=True)
class Document:
    words: tuple[str, ...]
    sentences: tuple[Range, ...]
    """In order. Together they cover every word."""
    speech: tuple[SpeechState, ...]
    """One entry per word."""

    def __post_init__(self) -> None:
        if len(self.speech) != len(self.words):
            raise ValueError("every word is narrated, spoken or a mark")
        ends = [0, *(end for _, end in self.sentences)]
        if [start for start, _ in self.sentences] != ends[:-1] or ends[-1] != len(self.words):
            raise ValueError("the sentences do not tile the words")


def packed(sentences: Iterable[Sequence[T]], most: int) -> Iterator[list[Sequence[T]]]:
    """Group consecutive sentences of at most `most` words together. A longer one is alone."""
    held: list[Sequence[T]] = []
    size = 0
    for sentence in sentences:
        if held and size + len(sentence) > most:
            yield held
            held, size = [], 0
        held.append(sentence)
        size += len(sentence)
    if held:
        yield held
