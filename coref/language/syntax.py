"""What the grammar of a book says: words, their sentences, their tags and what depends on what."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields

ROOT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Parse:
    """Parallel columns, one entry a word, that nobody changes; as Universal Dependencies has it."""

    starts: Sequence[int]
    """Offsets into the book's text; a word may be part of what blanks part: `do` and `n't`."""
    ends: Sequence[int]
    sentences: Sequence[tuple[int, int]]
    """Half-open, in words; in order, together they hold every word."""
    tags: Sequence[str]
    """Universal parts of speech: `NOUN`, `PROPN`, `VERB`…"""
    lemmas: Sequence[str]
    """The plain forms, mended where a guess went wrong (`coref.language.lemmas`)."""
    heads: Sequence[int]
    """The word that each depends on, counted from the book's first; `ROOT` for a sentence's root."""
    relations: Sequence[str]
    """`nsubj`, `nsubj:pass`, `obj`, `nmod:poss`…"""
    events: Sequence[bool]
    """Whether the word tells of something that did happen: not what is wished, feared or denied."""

    def __len__(self) -> int:
        return len(self.starts)

    def __eq__(self, other: object) -> bool:
        """Whatever kinds of columns they are kept in."""
        return isinstance(other, Parse) and all(
            list(getattr(self, column.name)) == list(getattr(other, column.name)) for column in fields(self)
        )

    def __hash__(self) -> int:
        return hash((len(self), len(self.sentences)))

    def until(self, offset: int) -> Parse:
        """The sentences that end at or before an offset; a view, where the columns give views."""
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
