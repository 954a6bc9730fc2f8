"""A book's words in numbered sentences, split so that every mention and quote consists of whole words.

The token formats share this. Only the story is split: text that is set apart from it has no words here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from books.types import Book, Span
from coref.booknlp.spacy_words import cut_at, spans, story_text
from coref.types import Annotations

_ENDS = frozenset(".!?…")
_CLOSING = frozenset("”’\"')]}»*_")
_ABBREVIATED = 5
"""Maximum length, including the full stop, of a title that ends no sentence: `Capt.`"""


@dataclass(frozen=True, slots=True)
class ExportedWord:
    span: Span
    text: str
    sentence: int
    """The number of the sentence in the whole book, from 0."""
    place: int
    """The position in the sentence, from 0."""
    paragraph: int
    chapter: int


@dataclass(frozen=True, slots=True)
class NumberedWords:
    """The words in order, with a mapping from spans to their numbers."""

    words: tuple[ExportedWord, ...]

    def range(self, span: Span) -> tuple[int, int]:
        """Return the numbers of the first and last word of a span that starts and ends with words."""
        first = bisect_left(self.words, span.start, key=lambda w: w.span.start)
        last = bisect_right(self.words, span.end, key=lambda w: w.span.end) - 1
        if (
            first > last
            or self.words[first].span.start != span.start
            or self.words[last].span.end != span.end
        ):
            raise ValueError(f"no whole words of the story lie from {span.start} to {span.end}")
        return first, last

    def touching(self, span: Span) -> Sequence[int]:
        """Return the numbers of the words that overlap a span."""
        first = bisect_right(self.words, span.start, key=lambda w: w.span.end)
        return range(first, bisect_left(self.words, span.end, key=lambda w: w.span.start))

    def phrase(self, first: int, last: int) -> str:
        return " ".join(w.text for w in self.words[first : last + 1])


def cut(book: Book, annotations: Annotations) -> NumberedWords:
    """Split the story of a book into words. No sentence ends inside a mention."""
    marked = [m.span for m in annotations.mentions]
    edges = {edge for span in marked for edge in (span.start, span.end)}
    edges |= {edge for q in annotations.quotes for edge in (q.span.start, q.span.end)}
    inside = _Inside(marked)
    story = story_text(book)
    words: list[ExportedWord] = []
    sentence = place = 0
    for paragraph in book.paragraphs:
        offset, text = paragraph.span.start, paragraph.span.of(story)
        pieces = cut_at(spans(text), (e - offset for e in _within(edges, paragraph.span)))
        last: list[str] = []
        for start, end in pieces:
            span = Span(offset + start, offset + end)
            if _begins(last, text[start:end]) and not inside.covers(span.start):
                sentence, place, last = sentence + 1, 0, []
            last.append(text[start:end])
            words.append(
                ExportedWord(span, text[start:end], sentence, place, paragraph.index, paragraph.chapter)
            )
            place += 1
        if pieces:
            sentence, place = sentence + 1, 0
    return NumberedWords(tuple(words))


def _within(edges: set[int], span: Span) -> Iterator[int]:
    if len(edges) < len(span):
        return (e for e in edges if span.start < e < span.end)
    return (e for e in range(span.start + 1, span.end) if e in edges)


def _begins(last: list[str], word: str) -> bool:
    """Return whether a word begins a sentence: the previous one has ended, and it looks like a start."""
    at = len(last) - 1
    while at > 0 and last[at] in _CLOSING:
        at -= 1
    if at < 0 or last[at][-1] not in _ENDS:
        return False
    if last[at][-1] == "." and 1 < len(last[at]) <= _ABBREVIATED:
        return False
    return word[0].isupper() or not (word[0].isalnum() or word[0] in _CLOSING)


class _Inside:
    """Tells which offsets lie inside a mention."""

    def __init__(self, marked: list[Span]) -> None:
        self._starts: list[int] = []
        self._reach: list[int] = []
        for span in sorted(marked):
            self._starts.append(span.start)
            self._reach.append(max(span.end, self._reach[-1] if self._reach else 0))

    def covers(self, offset: int) -> bool:
        """Return whether some mention starts before the offset and ends after it."""
        before = bisect_left(self._starts, offset)
        return before > 0 and self._reach[before - 1] > offset
