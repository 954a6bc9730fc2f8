"""The words of a Chinese book with their exact offsets, from jieba's dictionary.

jieba's guesses at words outside its dictionary join names with the verbs around them, so they are switched
off. Unknown text is split into single characters, and names are assembled elsewhere.
"""

from __future__ import annotations

import re
import warnings
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any

from books.types import Book
from coref.chinese.lexicon import acts, signs, simplify, speaks

_HAN = "\u3007\u3400-\u9fff\U00020000-\U0003ffff"
_PIECE = re.compile(rf"[{_HAN}]+(?P<dots>(?:[·・‧•．][{_HAN}]+)*)|[A-Za-z0-9]+|[^\W_]+|[^\w\s]|_")
_STRETCH = 200
"""Maximum number of characters passed to jieba at once, as parts of its work are quadratic."""
_ENDS = frozenset("。！？!?…")
_CLAUSE = frozenset("，,、；;：:。！？!?…—～~（）()《》〈〉【】")
_CLOSING = frozenset("”’」』\"'）)】》")
_OPENING = frozenset("“‘「『\"'（(【《")
_NOT_LAST = frozenset("因便就又也忙却笑道说问叫听见在了曰甚")
_COMMON = 1000
"""Frequency in jieba's dictionary from which on a word prevails over a name."""
_LONGEST_CLAUSE = 60
_LOCK = Lock()
Cut = Callable[[str], Iterator[tuple[str, str]]]


@dataclass(slots=True)
class ChineseWords:
    """Parallel columns with one entry per word or sign. `ranges[i]` holds the words of paragraph `i`."""

    text: str
    words: list[str] = field(default_factory=list)
    """In simplified characters."""
    tags: list[str] = field(default_factory=list)
    """jieba's tags: `nr` for people, `ns` for places, `v`, `d`, …; `x` for signs and for unknown words."""
    starts: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("i"))
    sentence: array[int] = field(default_factory=lambda: array("i"))
    quote: array[int] = field(default_factory=lambda: array("i"))
    """Index of the quotation that contains the word, or -1."""
    ranges: list[tuple[int, int]] = field(default_factory=list)
    opens: array[int] = field(default_factory=lambda: array("i"))
    """Where each paragraph starts."""
    simple: list[str] = field(default_factory=list)
    """The paragraphs in simplified characters, with blanks for their excluded parts."""

    def __len__(self) -> int:
        return len(self.words)

    def at(self, offset: int) -> int:
        """Return the first word that starts at or after an offset."""
        return bisect_left(self.starts, offset)

    def surface(self, first: int, end: int) -> str:
        return self.text[self.starts[first] : self.ends[end - 1]]

    def joined(self, first: int, end: int) -> bool:
        """Return whether nothing, not even a blank, separates these words."""
        return all(self.ends[i] == self.starts[i + 1] for i in range(first, end - 1))

    def clause_start(self, at: int, first: int) -> int:
        """Return the first word of the clause of word `at`. `first` opens the paragraph."""
        first = max(first, at - _LONGEST_CLAUSE)
        while at > first and not is_break(self.words[at - 1]):
            at -= 1
        return at


def is_break(word: str) -> bool:
    return word in _CLAUSE or word in _CLOSING or word in _OPENING


def is_han(word: str) -> bool:
    return "\u3400" <= word[:1] <= "\u9fff" or word[:1] >= "\U00020000"


def segment(book: Book, tell: Callable[[float], None]) -> ChineseWords:
    found, jieba = ChineseWords(book.text), _jieba()
    known: dict[str, str] = {}
    for number, (start, simple) in enumerate(_paragraph_texts(book)):
        first = len(found)
        for word, tag, at in _cut(simple, jieba):
            found.words.append(known.setdefault(word, word))
            found.tags.append(known.setdefault(tag, tag))
            found.starts.append(start + at)
            found.ends.append(start + at + len(word))
        found.opens.append(start)
        found.simple.append(simple)
        found.ranges.append((first, len(found)))
        _number(found, first)
        if number % 64 == 0:
            tell(number / len(book.paragraphs))
    found.quote.extend([-1] * len(found))
    return found


def _paragraph_texts(book: Book) -> Iterator[tuple[int, str]]:
    """Yield each paragraph's start and its simplified text, with blanks for excluded parts."""
    cuts = 0
    for paragraph in book.paragraphs:
        at, end = paragraph.span.start, paragraph.span.end
        pieces = []
        while cuts < len(book.excluded) and book.excluded[cuts].span.start < end:
            cut = book.excluded[cuts].span
            if cut.start >= at:
                pieces += [book.text[at : cut.start], " " * len(cut)]
                at = cut.end
            cuts += 1
        yield paragraph.span.start, simplify("".join([*pieces, book.text[at:end]]))


def _number(found: ChineseWords, first: int) -> None:
    """Number the sentences of a paragraph. A closing mark belongs to the sentence that it closes."""
    number = found.sentence[-1] + 1 if len(found.sentence) else 0
    for i in range(first, len(found)):
        if i > first and found.words[i] not in _CLOSING and found.words[i] not in _ENDS:
            last = i - 1
            while last > first and found.words[last] in _CLOSING:
                last -= 1
            number += found.words[last] in _ENDS
        found.sentence.append(number)


def _cut(simple: str, jieba: Cut) -> Iterator[tuple[str, str, int]]:
    for piece in _PIECE.finditer(simple):
        start, text = piece.start(), piece.group()
        if piece["dots"]:
            yield from _cut_dotted(text, start, jieba)
        elif is_han(text):
            yield from _cut_han(text, start, jieba)
        else:
            yield text, "eng" if text[0].isalnum() else "x", start


def tagged_words(simple: str) -> Iterator[tuple[str, str, int]]:
    """Yield the words of a simplified text with jieba's tags and their offsets."""
    return _cut(simple, _jieba())


def _cut_han(text: str, start: int, jieba: Cut) -> Iterator[tuple[str, str, int]]:
    for begin in range(0, len(text), _STRETCH):
        at = start + begin
        for word, tag in jieba(text[begin : begin + _STRETCH]):
            if tag == "nr" and len(word) > 2 and word[-1] in _NOT_LAST:
                # The dictionary contains names together with the verb that stood after them: `贾母因`.
                yield word[:-1], tag, at
                yield word[-1], "v", at + len(word) - 1
            else:
                yield word, tag, at
            at += len(word)


def _cut_dotted(text: str, start: int, jieba: Cut) -> Iterator[tuple[str, str, int]]:
    """Yield a foreign name with dots. It extends over characters that transliterations use."""
    foreign = signs("chinese_transliteration")
    dots = [i for i, sign in enumerate(text) if not is_han(sign)]
    begin, end = dots[0], dots[-1] + 1
    while begin > 0 and text[begin - 1] in foreign:
        begin -= 1
    while end < len(text) and text[end] in foreign:
        end += 1
    if begin == dots[0] or end == dots[-1] + 1:
        begin, end = 0, len(text)
    yield from _cut_han(text[:begin], start, jieba)
    yield text[begin:end], "nrt", start + begin
    yield from _cut_han(text[end:], start + end, jieba)


def part_again(words: ChineseWords, names: Mapping[str, object], given: Set[str]) -> ChineseWords:
    """Split words that a name extends into: `小`, `梅拉` become 小梅 and 拉, if 小梅 is a known name.

    A word that ends in a name is split before it: jieba's dictionary has 那宝玉 and 和黛玉. One that begins
    with a given name of one character is split before what that person does: it has 允怒 and 卓大怒.
    """
    _jieba()
    openings = {name[0] for name in names}
    lengths = sorted({len(name) for name in names}, reverse=True)
    found = ChineseWords(words.text, opens=words.opens, simple=words.simple)
    for first, end in words.ranges:
        begin, i, skip = len(found), first, 0
        while i < end:
            cut = 0
            if words.words[i][0] in openings and not skip:
                cut = _cut_at(words, i, end, names, lengths)
            if cut:
                i, skip = _copy(words, found, i, cut)
                continue
            border = 0 if skip else _name_at_end(words.words[i], names) or _act_behind(words.words[i], given)
            if border:
                _put(found, words, i, 0, border)
                skip = border
            _put(found, words, i, skip, len(words.words[i]))
            i, skip = i + 1, 0
        found.ranges.append((begin, len(found)))
    return found


def _cut_at(
    words: ChineseWords, i: int, end: int, names: Mapping[str, object], lengths: Sequence[int]
) -> int:
    """Return the length of the name that begins at word `i` and ends inside an uncommon word, or 0."""
    text, j = "", i
    while j < end and len(text) < lengths[0] and (j == i or words.starts[j] == words.ends[j - 1]):
        text += words.words[j]
        j += 1
    for length in lengths:
        if text[:length] not in names or len(text) < length:
            continue
        at, k = 0, i
        while at + len(words.words[k]) <= length:
            at += len(words.words[k])
            k += 1
            if at == length:
                return 0
        return 0 if is_common(words.words[k]) else length
    return 0


def _name_at_end(word: str, names: Mapping[str, object]) -> int:
    """Return where a name of two characters or more begins that the word ends in, or 0."""
    if word in names or is_common(word):
        return 0
    return next((at for at in range(1, len(word) - 1) if word[at:] in names), 0)


def _act_behind(word: str, given: Set[str]) -> int:
    acting = len(word) > 1 and word[0] in given and not is_common(word)
    return int(acting and (acts(word[1:].removeprefix("大")) or speaks(word[1:])))


def is_common(word: str) -> bool:
    """Return whether a word is so frequent in jieba's dictionary that it is hardly part of a name."""
    import jieba

    return bool(jieba.dt.FREQ.get(word, 0) >= _COMMON)


def _copy(words: ChineseWords, found: ChineseWords, i: int, length: int) -> tuple[int, int]:
    """Copy a name that ends inside a word. Returns that word and how much of it is used."""
    at = 0
    while at + len(words.words[i]) <= length:
        _put(found, words, i, 0, len(words.words[i]))
        at += len(words.words[i])
        i += 1
    _put(found, words, i, 0, length - at)
    return i, length - at


def _put(found: ChineseWords, words: ChineseWords, i: int, start: int, end: int) -> None:
    part = words.words[i][start:end]
    found.words.append(part)
    found.tags.append("v" if start else words.tags[i])
    found.starts.append(words.starts[i] + start)
    found.ends.append(words.starts[i] + end)
    found.sentence.append(words.sentence[i])
    found.quote.append(words.quote[i])


def cut(simple: str) -> Iterator[str]:
    """Yield the words of a stretch of simplified ideographs. Together they are the stretch."""
    with _LOCK:
        jieba = _dictionary()
    for begin in range(0, len(simple), _STRETCH):
        yield from jieba.cut(simple[begin : begin + _STRETCH], HMM=False)


def guessed_words(text: str) -> list[str]:
    """Return the words of a whole text as jieba splits it by default, which guesses at unknown ones."""
    with _LOCK:
        jieba = _dictionary()
    return list(jieba.cut(text))


def listed_names() -> list[str]:
    """Return the names of people in jieba's dictionary."""
    _jieba()
    from jieba import posseg

    return sorted(word for word, tag in posseg.dt.word_tag_tab.items() if tag == "nr")


def cut_for_search(simple: str) -> Iterator[str]:
    """Yield the words of a stretch of simplified ideographs, and dictionary words inside long ones."""
    with _LOCK:
        jieba = _dictionary()
    for begin in range(0, len(simple), _STRETCH):
        yield from jieba.cut_for_search(simple[begin : begin + _STRETCH], HMM=False)


@cache
def _dictionary() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about jieba's own code
        import jieba

    if not jieba.dt.initialized:
        # The same as `initialize`, without its messages and the file that it leaves behind.
        jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
        jieba.dt.initialized = True
    return jieba.dt


@cache
def _loaded() -> Cut:
    _dictionary()
    from jieba import posseg

    def cut(text: str) -> Iterator[tuple[str, str]]:
        return ((pair.word, pair.flag) for pair in posseg.dt.cut(text, HMM=False))

    return cut


def _jieba() -> Cut:
    with _LOCK:
        return _loaded()
