"""Sentences of a book written out for the reader: for whom, who says them, and that person marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from books.types import Span
from coref.types import Annotations, Mention, MentionKind
from retrieval.sentences import flat
from retrieval.telling.sentence_table import Ints

_MARK = "*"
_TOLD, _SAID_BY_THEM, _SAID = "told", "said by them", "said"
_SPOKEN = 0.5
"""Share of a sentence in quotes from which it counts as spoken."""


class MarkedSentences:
    """The sentences of one book. `lines` has start and end of each."""

    def __init__(self, text: str, annotations: Annotations, lines: Ints) -> None:
        self._text = text
        self._lines = lines
        self._names = {c.id: c.name for c in annotations.characters}
        self._mentions = [m for m in annotations.mentions if m.kind is not MentionKind.NOMINAL]
        self._starts = np.fromiter((m.span.start for m in self._mentions), np.int64, len(self._mentions))
        self._quotes = annotations.quotes
        self._quote_ends = np.fromiter((q.span.end for q in self._quotes), np.int64, len(self._quotes))

    def of(self, character: str, sentences: Iterable[int]) -> list[str]:
        """Return the sentences written out for a character."""
        name = self._names[character]
        spans = (Span(*self._lines[n, :2].tolist()) for n in sentences)
        return [f"{name}, {self._voice(span, character)}: {self._marked(span, character)}" for span in spans]

    def _marked(self, span: Span, character: str) -> str:
        parts, at = [], span.start
        for mention in self._mentions_in(span):
            if mention.character == character and mention.span.start >= at:
                parts += [
                    self._text[at : mention.span.start],
                    _MARK,
                    " ",
                    mention.span.of(self._text),
                    " ",
                    _MARK,
                ]
                at = mention.span.end
        return flat("".join([*parts, self._text[at : span.end]]))

    def _mentions_in(self, span: Span) -> Sequence[Mention]:
        low, high = np.searchsorted(self._starts, (span.start, span.end)).tolist()
        return [m for m in self._mentions[low:high] if m.span.end <= span.end]

    def _voice(self, span: Span, character: str) -> str:
        """Return whether the narration tells a sentence, the character says it, or another does."""
        first = int(np.searchsorted(self._quote_ends, span.start, "right"))
        spoken, speakers = 0, set()
        for quote in self._quotes[first:]:
            if quote.span.start >= span.end:
                break
            spoken += min(quote.span.end, span.end) - max(quote.span.start, span.start)
            speakers.add(quote.speaker)
        if spoken < _SPOKEN * len(span):
            return _TOLD
        return _SAID_BY_THEM if character in speakers else _SAID
