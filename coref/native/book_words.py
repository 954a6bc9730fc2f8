"""A book's words as the literary model reads them, with exact offsets, sentences and direct speech.

They are split as in LitBank and in Universal Dependencies: `do` and `n't` are two words, `Mr.` is one, and
punctuation marks are words. The rules use other words (`coref.language.tokens`); offsets map one to the
other.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from coref.language.tokens import Tokens
from coref.language.word_lists import words
from coref.native.document import Document, Range, SpeechState
from coref.speech.direct_speech import DirectSpeech

_ABBREVIATED = "|".join(sorted(words("joined_stops"), key=lambda word: (-len(word), word)))
_WORD = re.compile(
    r"\d+(?:[.,:]\d+)+"
    rf"|\b(?i:{_ABBREVIATED})\.(?!\.)"
    r"|(?:[^\W\d_]\.){2,}"
    r"|[A-HJ-Z]\.(?=\s+[A-Z])"
    r"|[^\W_]+?(?=n['’]t\b)|n['’]t\b"
    r"|can(?=not\b)|(?<=can)not\b"
    r"|['’](?:em|tis|twas|cause|n|t)\b(?!['’])"
    r"|[^\W_]+(?:[-'’](?!(?:s|S|m|ll|ve|d|re)\b)[^\W_]+)*"
    r"|['’](?:s|S|m|ll|ve|d|re)\b"
    r"|--+|—+|…|\.\.+|_+|\*+|[^\w\s]"
)
_ENDS = frozenset((".", "!", "?", "…", "..", "...", "...."))
_CLOSING = frozenset("”’\"')]}»_*")
_OPENING = frozenset("“‘\"'([{«_*—") | {"--"}
_MARKS = frozenset("“”„\"‘’'`«»‹›「」『』")
_LONGEST_SENTENCE = 300
"""Maximum number of words. Text without stops is split there, for nobody reads on so long."""


@dataclass(slots=True)
class BookWords:
    """Parallel columns with one entry per word."""

    text: str
    words: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("i"))
    sentences: list[Range] = field(default_factory=list)
    paragraphs: list[Range] = field(default_factory=list)
    """One range for each of the book's paragraphs. Some are empty."""
    speech: list[SpeechState] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def within(self, start: int, end: int) -> Range:
        """Return the words that overlap a stretch of the text."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end))

    def clipped(self, start: int, end: int) -> Range:
        """Return the words that overlap a stretch, only those of its first sentence."""
        first, last = self.within(start, end)
        if first >= len(self):
            return first, first
        return first, min(last, self.sentences[self.sentence_of(first)][1])

    def sentence_of(self, word: int) -> int:
        return bisect_right(self.sentences, word, key=lambda sentence: sentence[0]) - 1

    def document(self, sentences: Range) -> Document:
        """Return some of the sentences as a document."""
        chosen = self.sentences[slice(*sentences)]
        start, end = chosen[0][0], chosen[-1][1]
        return Document(
            words=tuple(self.words[start:end]),
            sentences=tuple((first - start, last - start) for first, last in chosen),
            speech=tuple(self.speech[start:end]),
        )


def words_of(tokens: Tokens, heard: Sequence[DirectSpeech]) -> BookWords:
    """Split a book into words. `heard` is the direct speech found among the same tokens."""
    found = BookWords(tokens.text)
    opening = {stretch.start for stretch in heard}
    known: dict[str, str] = {}
    for first, end in tokens.ranges:
        begin = len(found)
        for start, stop in _stretches(tokens, first, end):
            for match in _WORD.finditer(tokens.text, start, stop):
                found.words.append(known.setdefault(match[0], match[0]))
                found.starts.append(match.start())
                found.ends.append(match.end())
        found.paragraphs.append((begin, len(found)))
        found.sentences += _sentences(found, begin, opening)
    found.speech = _spoken(found, heard)
    return found


def _stretches(tokens: Tokens, first: int, end: int) -> Iterator[Range]:
    """Yield a paragraph's text without the parts excluded from it, which lie between two tokens."""
    if first == end:
        return
    start = _reach_back(tokens.text, tokens.starts[first])
    for i in range(first + 1, end):
        if tokens.ends[i - 1] < tokens.starts[i] - 1:
            gap = tokens.text[tokens.ends[i - 1] : tokens.starts[i]]
            if gap.strip("_ \t\n"):
                yield start, tokens.ends[i - 1]
                start = tokens.starts[i]
    stop = tokens.ends[end - 1]
    while stop < len(tokens.text) and tokens.text[stop] == "_":
        stop += 1
    yield start, stop


def _reach_back(text: str, start: int) -> int:
    while start and text[start - 1] == "_":
        start -= 1
    return start


def _sentences(found: BookWords, begin: int, opening: set[int]) -> Iterator[Range]:
    start = begin
    for i in range(begin + 1, len(found)):
        if i - start >= _LONGEST_SENTENCE or _ends_before(found, i, start, opening):
            yield start, i
            start = i
    if start < len(found):
        yield start, len(found)


def _ends_before(found: BookWords, i: int, start: int, opening: set[int]) -> bool:
    word, last = found.words[i], i - 1
    opens = found.starts[i] in opening
    if word in _ENDS or (word in _CLOSING and not opens and not _is_free(found, i)):
        return False
    while last > start and found.words[last] in _CLOSING and found.starts[last] not in opening:
        last -= 1
    if found.words[last] not in _ENDS:
        return False
    return opens or word in _OPENING or word[0].isdigit() or (not word[0].islower() and word[0].isalpha())


def _is_free(found: BookWords, i: int) -> bool:
    """Return whether a mark adjoins only the next word, like one that opens something."""
    before = found.ends[i - 1] < found.starts[i]
    after = i + 1 < len(found) and found.ends[i] == found.starts[i + 1]
    return before and after


def _spoken(found: BookWords, heard: Sequence[DirectSpeech]) -> list[SpeechState]:
    speech = [SpeechState.NARRATED] * len(found)
    for stretch in heard:
        first, end = found.within(stretch.start, stretch.end)
        speech[first:end] = [SpeechState.SPOKEN] * (end - first)
        if first < end:
            for i in (first, end - 1):
                if found.words[i] in _MARKS:
                    speech[i] = SpeechState.MARK
    return speech
