"""Passages with questions that they answer, and one each that they seem to answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from books.types import Span
from evaluation.corpus.loading import each
from evaluation.corpus.quotations import find_between


@dataclass(frozen=True, slots=True)
class AskedPassage:
    begins: str
    """Its first words."""
    ends: str
    questions: tuple[str, str]
    """Questions that a reader may ask, and that it answers."""
    trap: str
    """A question about the same people or things that it does not answer."""

    def span(self, text: str) -> Span | None:
        """Return where it is in the text that Bookworm reads."""
        return find_between(self.begins, self.ends, text)


@dataclass(frozen=True, slots=True)
class NovelAskedPassages:
    novel: str
    passages: tuple[AskedPassage, ...]


_PASSAGES: TypeAdapter[NovelAskedPassages] = TypeAdapter(NovelAskedPassages)


def asked_passages() -> Iterator[NovelAskedPassages]:
    """Yield the passages of each novel that has any."""
    return each("asked_passages", _PASSAGES)
