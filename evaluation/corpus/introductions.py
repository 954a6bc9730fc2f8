"""What readers said of sentences that might stand beside a name in a list of characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from evaluation.corpus.loading import each
from evaluation.corpus.quotations import find


@dataclass(frozen=True, slots=True)
class ReadIntroduction:
    person: str
    """As Bookworm called them, which may be a mixture of two."""
    start: int
    """Where the sentence begins in the text that Bookworm reads."""
    quote: str
    says_who: Literal["yes", "half", "no", "another"]
    """Whether the part of it that was shown says who they are; `another`: it is about somebody else."""

    def stands_in(self, text: str) -> bool:
        """Return whether the text that Bookworm reads has it where it says."""
        found = find(self.quote, text[self.start : self.start + 2 * len(self.quote)])
        return found is not None and found.start == 0


@dataclass(frozen=True, slots=True)
class NovelIntroductions:
    novel: str
    sentences: tuple[ReadIntroduction, ...]


_INTRODUCTIONS: TypeAdapter[NovelIntroductions] = TypeAdapter(NovelIntroductions)


def introductions() -> Iterator[NovelIntroductions]:
    """Yield what readers said of each novel, in the order of their file names."""
    return each("introductions", _INTRODUCTIONS)
