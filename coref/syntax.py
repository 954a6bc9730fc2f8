"""What the grammar of a book says: words, their sentences, their tags and what depends on what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROOT = -1


@dataclass(frozen=True, slots=True)
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
    heads: Sequence[int]
    """The word that each depends on, counted from the book's first; `ROOT` for a sentence's root."""
    relations: Sequence[str]
    """`nsubj`, `nsubj:pass`, `obj`, `nmod:poss`…"""
    events: Sequence[bool]
    """Whether the word tells of something that did happen: not what is wished, feared or denied."""

    def __len__(self) -> int:
        return len(self.starts)
