"""Quotations of the novels that have casts, and who utters them, as readers say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from evaluation.corpus.loading import about, each
from evaluation.corpus.quotations import find_all


@dataclass(frozen=True, slots=True)
class MarkedQuotation:
    start: int
    """Where it begins, with its mark, in the text that Bookworm reads."""
    quote: str
    """Its first words."""
    who: str
    """The speaker's key in the novel's cast."""

    def stands_in(self, text: str) -> bool:
        """Return whether the text that Bookworm reads has it where it says."""
        return any(span.start == self.start for span in find_all(self.quote, text))


@dataclass(frozen=True, slots=True)
class NovelQuotations:
    novel: str
    quotations: tuple[MarkedQuotation, ...]


_QUOTATIONS: TypeAdapter[NovelQuotations] = TypeAdapter(NovelQuotations)


def marked_novels() -> Iterator[NovelQuotations]:
    """Yield the quotations of each novel that has any."""
    return each("speakers", _QUOTATIONS)


def marked_in(novel: str) -> tuple[MarkedQuotation, ...]:
    """Return the quotations of a novel: none if no reader marked any."""
    found = about(novel, "speakers", _QUOTATIONS)
    return () if found is None else found.quotations
