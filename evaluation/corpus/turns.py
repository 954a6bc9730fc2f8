"""Pairs of neighbouring quotations in one paragraph, and whether one person utters both, as readers say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from evaluation.corpus.loading import each
from evaluation.corpus.quotations import find_all


@dataclass(frozen=True, slots=True)
class TurnPair:
    start: int
    """Where the second quotation begins in the text that Bookworm reads."""
    quote: str
    """The last words of the first quotation to the first words of the second."""
    one: bool

    def stands_in(self, text: str) -> bool:
        """Return whether the text that Bookworm reads has it where it says."""
        return any(span.start < self.start < span.end for span in find_all(self.quote, text))


@dataclass(frozen=True, slots=True)
class NovelTurns:
    novel: str
    pairs: tuple[TurnPair, ...]


_TURNS: TypeAdapter[NovelTurns] = TypeAdapter(NovelTurns)


def turns() -> Iterator[NovelTurns]:
    """Yield the pairs of each novel that has any."""
    return each("turns", _TURNS)
