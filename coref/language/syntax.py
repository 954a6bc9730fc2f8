"""The grammatical parse of a book: words, sentences, tags and dependencies."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields

ROOT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Parse:
    """Parallel immutable columns with one entry per word, in the terms of Universal Dependencies."""

    starts: Sequence[int]
    """Offsets into the book's text. A word may be only a part of a blank-separated unit: `do` and `n't`."""
    ends: Sequence[int]
    sentences: Sequence[tuple[int, int]]
    """Half-open ranges of words, in order. Together they cover every word."""
    tags: Sequence[str]
    """Universal parts of speech: `NOUN`, `PROPN`, `VERB`, …"""
    lemmas: Sequence[str]
    """Lemmas, corrected where a guess went wrong (`coref.language.lemmas`)."""
    heads: Sequence[int]
    """The head of each word, counted from the book's first word. The root of a sentence has `ROOT`."""
    relations: Sequence[str]
    """Dependency relations: `nsubj`, `nsubj:pass`, `obj`, `nmod:poss`, …"""
    events: Sequence[bool]
    """Whether the word denotes an event that did happen, not one that is wished for, feared or denied."""

    def __len__(self) -> int:
        return len(self.starts)

    def __eq__(self, other: object) -> bool:
        """Compare the values of all columns, whatever sequence types hold them."""
        return isinstance(other, Parse) and all(
            list(getattr(self, column.name)) == list(getattr(other, column.name)) for column in fields(self)
        )

    def __hash__(self) -> int:
        return hash((len(self), len(self.sentences)))

    def until(self, offset: int) -> Parse:
        """Return the sentences that end at or before an offset, as a view where the columns support views."""
        kept = bisect_right(self.sentences, offset, key=lambda s: self.ends[s[1] - 1] if s[1] > s[0] else 0)
        words = self.sentences[kept - 1][1] if kept else 0
        return Parse(
            starts=self.starts[:words],
            ends=self.ends[:words],
            sentences=self.sentences[:kept],
            tags=self.tags[:words],
            lemmas=self.lemmas[:words],
            heads=self.heads[:words],
            relations=self.relations[:words],
            events=self.events[:words],
        )
