"""Who is meant at every place that may mean a person, in excerpts of novels: what readers said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pydantic import TypeAdapter

from books.types import Span
from coref.native.document import Document, Range, SpeechState
from evaluation.corpus.loading import each
from evaluation.corpus.types import Split

_GAP = 400
"""Number of characters that may lie between two words: blanks, or a footnote that is not read."""


@dataclass(frozen=True, slots=True)
class MeantExcerpt:
    chapter: int
    start: int
    """Where it begins in the text that Bookworm reads."""
    sentences: tuple[str, ...]
    """Their words, divided by blanks."""
    speech: str
    """For each word: 0 narrated, 1 spoken, 2 a quotation mark."""
    people: Mapping[str, str]
    """Who each key means: a person or a group, described in a few words. The keys belong to this excerpt."""
    places: tuple[tuple[int, int, str | None], ...]
    """Stretches of words, half-open, with the key of whom they mean, None for nobody in particular. Where
    readers were unsure there is no place."""

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence.split(" ")]

    @property
    def document(self) -> Document:
        ends = list(accumulate((len(sentence.split(" ")) for sentence in self.sentences), initial=0))
        speech = tuple(SpeechState(int(state)) for state in self.speech)
        return Document(tuple(self.words), tuple(pairwise(ends)), speech)

    @property
    def meant(self) -> dict[Range, str | None]:
        return {(start, end): who for start, end, who in self.places}

    def spans(self, text: str) -> list[Span]:
        """Return where the places are in the text of the novel.

        Raises ValueError if the words are not there.
        """
        words = self.words
        ends: list[int] = []
        at = self.start
        for word in words:
            at = text.find(word, at, at + len(word) + _GAP)
            if at < 0:
                before = " ".join(words[max(0, len(ends) - 5) : len(ends)])
                raise ValueError(f"“{word}” does not follow “{before}”")
            at += len(word)
            ends.append(at)
        return [Span(ends[start] - len(words[start]), ends[end - 1]) for start, end, _ in self.places]


@dataclass(frozen=True, slots=True)
class MeantNovel:
    novel: str
    split: Split
    excerpts: tuple[MeantExcerpt, ...]


_NOVEL: TypeAdapter[MeantNovel] = TypeAdapter(MeantNovel)


def meant_novels(split: str | None = None) -> Iterator[MeantNovel]:
    """Yield the novels of a split, or all of them, in the order of their file names."""
    return (novel for novel in each("meant", _NOVEL) if split in (None, novel.split))
