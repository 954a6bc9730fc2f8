"""Pairs of excerpts about one person, with claims that one of them bears out, and traps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from books.types import Span
from evaluation.corpus.loading import each
from evaluation.corpus.quotations import find_between


@dataclass(frozen=True, slots=True)
class ClaimExcerpt:
    begins: str
    """Its first words."""
    ends: str
    true: tuple[str, ...]
    """Claims about the person that it bears out. The other excerpt of the pair does not."""
    traps: tuple[str, ...]
    """Claims that sound as if it bore them out."""

    def span(self, text: str) -> Span | None:
        """Return where it is in the text that Bookworm reads."""
        return find_between(self.begins, self.ends, text)


@dataclass(frozen=True, slots=True)
class ExcerptPair:
    person: str
    excerpts: tuple[ClaimExcerpt, ClaimExcerpt]


@dataclass(frozen=True, slots=True)
class NovelExcerpts:
    novel: str
    pairs: tuple[ExcerptPair, ...]


_EXCERPTS: TypeAdapter[NovelExcerpts] = TypeAdapter(NovelExcerpts)


def excerpts() -> Iterator[NovelExcerpts]:
    """Yield the excerpts of each novel that has any."""
    return each("excerpts", _EXCERPTS)
