"""The words of a book with their exact offsets, sentences and paragraphs."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from books.types import Book, Paragraph, ParagraphKind
from coref.language.word_lists import table, words

OPENING = frozenset("“‘\"'([{«_*")
_TOKEN = re.compile(
    r"[^\W_]+(?:[-'’](?!(?:s|S|m|ll|ve|d|re)\b)[^\W_]+)*|['’](?:s|S|m|ll|ve|d|re)\b|--+|—|…|\.\.+|[^\w\s]"
)
_ENDS = frozenset((".", "!", "?", "…", "..", "...", "...."))
_CLOSING = frozenset("”’\"')]}»")
POSSESSIVE = frozenset(("'s", "’s", "'", "’"))
"""Tokens that end the name of an owner: `Tom’s`, `the boys’`."""


@dataclass(slots=True)
class Tokens:
    """Parallel columns with one entry per token. `ranges[i]` holds the token range of paragraph `i`."""

    text: str
    words: list[str] = field(default_factory=list)
    lower: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("i"))
    sentence: array[int] = field(default_factory=lambda: array("i"))
    opens: bytearray = field(default_factory=bytearray)
    """1 where a capital is no evidence of a name: a sentence, quotation or line of verse begins there."""
    quote: array[int] = field(default_factory=lambda: array("i"))
    """Index of the quotation that contains the token, or -1."""
    inner: bytearray = field(default_factory=bytearray)
    """1 inside a quotation that is inside that one."""
    ranges: list[tuple[int, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def at(self, offset: int) -> int:
        """Return the first token that starts at or after an offset."""
        return bisect_left(self.starts, offset)

    def paragraph(self, token: int) -> int:
        return bisect_right(self.ranges, token, key=itemgetter(0)) - 1

    def surface(self, first: int, end: int) -> str:
        return self.text[self.starts[first] : self.ends[end - 1]]


def tokenize(book: Book) -> Tokens:
    tokens = Tokens(book.text)
    interned: dict[str, str] = {}
    for paragraph, stretches in _included_stretches(book):
        first = len(tokens)
        for start, end in stretches:
            for match in _TOKEN.finditer(book.text, start, end):
                word = interned.setdefault(match.group(), match.group())
                tokens.words.append(word)
                tokens.lower.append(interned.setdefault(low := word.lower(), low))
                tokens.starts.append(match.start())
                tokens.ends.append(match.end())
        tokens.ranges.append((first, len(tokens)))
        _divide(tokens, first, paragraph)
    tokens.quote.extend([-1] * len(tokens))
    tokens.inner.extend(bytes(len(tokens)))
    return tokens


def _included_stretches(book: Book) -> Iterator[tuple[Paragraph, list[tuple[int, int]]]]:
    """Yield the paragraphs without the parts excluded inside them: page numbers and note marks."""
    at = 0
    for paragraph in book.paragraphs:
        start, end = paragraph.span.start, paragraph.span.end
        stretches: list[tuple[int, int]] = []
        while at < len(book.excluded) and book.excluded[at].span.start < end:
            cut = book.excluded[at].span
            if cut.start >= start:
                stretches.append((start, cut.start))
                start = cut.end
            at += 1
        yield paragraph, [*stretches, (start, end)]


def _divide(tokens: Tokens, first: int, paragraph: Paragraph) -> None:
    """Number the sentences of one paragraph and mark the tokens where a capital is expected anyway."""
    number = tokens.sentence[-1] + 1 if len(tokens.sentence) else 0
    by_line = paragraph.kind is not ParagraphKind.PROSE
    for i in range(first, len(tokens)):
        if i > first and _ends_before(tokens, i):
            number += 1
        tokens.sentence.append(number)
        opens = i == first or _is_opening(tokens, i) or (by_line and _starts_line(tokens, i))
        tokens.opens.append(opens or paragraph.kind is ParagraphKind.HEADING)


def _ends_before(tokens: Tokens, i: int) -> bool:
    """Return whether a sentence ends before token `i`."""
    words, last = tokens.words, i - 1
    if words[i] in _CLOSING or words[i] in _ENDS:
        return False
    if words[last] in _CLOSING:
        last -= 1
    if last < 0 or words[last] not in _ENDS:
        return False
    if words[i][0].islower() or (words[last] == "." and _is_abbreviation(tokens, last - 1)):
        return False
    return words[i][0].isalnum() or words[i] in OPENING or words[i] in ("—", "--")


def _is_abbreviation(tokens: Tokens, i: int) -> bool:
    if i < 0:
        return False
    word = tokens.words[i]
    if len(word) == 1 and word.isupper() and word != "I":
        return True
    return word.capitalize() in table("titles") or tokens.lower[i] in words("abbreviations")


def _is_opening(tokens: Tokens, i: int) -> bool:
    before = tokens.words[i - 1]
    if before[0].isalnum() or before in (",", ";", "&") or before.lower() in ("'s", "’s"):
        return False
    return not (before == "." and _is_abbreviation(tokens, i - 2))


def _starts_line(tokens: Tokens, i: int) -> bool:
    return "\n" in tokens.text[tokens.ends[i - 1] : tokens.starts[i]]


def initial(word: str) -> bool:
    """Return whether a word may be an initial of a name."""
    return len(word) == 1 and word.isupper()


def each_paragraph(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    for number, (first, end) in enumerate(tokens.ranges):
        yield number, first, end


def paragraph_of(tokens: Tokens) -> list[int]:
    """Return the paragraph of each token."""
    found: list[int] = []
    for number, (first, end) in enumerate(tokens.ranges):
        found.extend([number] * (end - first))
    return found
