"""Which other name is whose: 玄德 is 刘备, and 周瑜 is not 孔明, although both stand side by side.

A logistic regression over what the book shows of two names. Its weights come from a novel with known casts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coref.chinese.lexicon import surname_of
from coref.chinese.names import each_match, styled
from coref.chinese.segment import ChineseWords
from coref.language.word_lists import words as listed

SIGNS: Final = (
    "said to be",
    "said right behind it",
    "share of what is said to be",
    "behind the surname",
    "share of the surnames before it",
    "another surname",
    "in one sentence",
    "in one chapter",
    "more frequent",
)
LIKELY: Final = 0.7
"""The probability from which on a name is given to somebody."""
_FORMAT: Final = 1
_WEIGHTS: Final = "data/chinese_links.json"
_REACH: Final = 3
"""Words between a word such as 字 and the name behind it."""
_SHORT: Final = 2
"""Words before a name in which a given name of one character and 字 stand."""
_STYLE: Final = "字"
_BETWEEN: Final = 4
"""Characters between a name and another one right behind it: `，表字`."""


@dataclass(frozen=True, slots=True)
class OtherName:
    """A full name and another name of what may be the same person."""

    full: str
    other: str
    probability: float
    evidence: str


@dataclass(slots=True)
class _Book:
    """Where the names of a book stand."""

    counts: Counter[str]
    sentences: dict[str, set[int]]
    chapters: dict[str, set[int]]
    told: Counter[tuple[str, str]]
    """How often the book says that a name is another name of somebody."""
    direct: Counter[tuple[str, str]]
    """How often it says so right behind the name."""
    words: dict[tuple[str, str], str]
    behind: Counter[tuple[str, str]]
    """How often a name stands right behind a surname."""


def other_names(words: ChineseWords, names: Mapping[str, int], chapters: Sequence[int]) -> list[OtherName]:
    """Return for each name whose bearer it likely is, the likeliest first."""
    book = _read(words, names, chapters)
    pairs = list(_pairs(book))
    if not pairs:
        return []
    weights = _shipped()
    odds = np.array([_signs(book, *pair) for pair in pairs]) @ weights[:-1] + weights[-1]
    found = [
        OtherName(full, other, float(1 / (1 + np.exp(-odd))), _evidence(book, full, other))
        for (full, other), odd in zip(pairs, odds, strict=True)
    ]
    return sorted(
        (each for each in found if each.probability >= LIKELY),
        key=lambda o: (-o.probability, o.full, o.other),
    )


def pairs_with_signs(
    words: ChineseWords, names: Mapping[str, int], chapters: Sequence[int]
) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Return all pairs that may be one person, with their signs, to learn from."""
    book = _read(words, names, chapters)
    pairs = list(_pairs(book))
    return pairs, np.array([_signs(book, *pair) for pair in pairs]).reshape(-1, len(SIGNS))


def as_json(weights: Sequence[float], *, trained: Mapping[str, object]) -> str:
    from coref.weights_file import as_json as written

    *signs, bias = weights
    return written({**dict(zip(SIGNS, signs, strict=True)), "bias": bias}, version=_FORMAT, trained=trained)


def _read(words: ChineseWords, names: Mapping[str, int], chapters: Sequence[int]) -> _Book:
    book = _Book(Counter(), defaultdict(set), defaultdict(set), Counter(), Counter(), {}, Counter())
    paragraph = 0
    before = (-1, -1, "")
    last: dict[str, int] = {}
    for first, end, name in each_match(words, names):
        while words.ranges[paragraph][1] <= first:
            paragraph += 1
        sentence = words.sentence[first]
        book.counts[name] += 1
        book.sentences[name].add(sentence)
        book.chapters[name].add(chapters[paragraph])
        if before[1] >= 0 and words.sentence[before[0]] == sentence and name != before[2]:
            links = [
                i
                for i in range(max(before[1], first - _REACH), first)
                if words.words[i] in listed("chinese_other_names")
            ]
            if links:
                book.told[before[2], name] += 1
                book.direct[before[2], name] += words.starts[first] - words.ends[before[1] - 1] <= _BETWEEN
                book.words[before[2], name] = words.words[links[-1]]
        short = _short_before(words, first, names, last)
        if short and short != name:
            book.told[short, name] += 1
            book.direct[short, name] += 1
            book.words[short, name] = words.words[first - 1]
        last[name] = first
        before = (first, end, name)
    _read_styles(words, book)
    for name in book.counts:
        surname = surname_of(name)
        if surname and name[len(surname) :] in book.counts:
            book.behind[surname, name[len(surname) :]] += book.counts[name]
    return book


def _read_styles(words: ChineseWords, book: _Book) -> None:
    for text in words.simple:
        for full, style in styled(text):
            if style in book.counts:
                book.told[full, style] += 1
                book.direct[full, style] += 1
                book.words[full, style] = _STYLE


def _short_before(
    words: ChineseWords, first: int, names: Mapping[str, int], last: Mapping[str, int]
) -> str | None:
    """Return whose name it is in `懿字仲达`: the latest full name that ends in the character before 字."""
    if first < _SHORT or words.words[first - 1] not in listed("chinese_other_names"):
        return None
    short = words.words[first - _SHORT]
    bearers = (name for name in last if len(short) == 1 and name[len(surname_of(name)) :] == short)
    return max((name for name in bearers if name in names), key=lambda name: last[name], default=None)


def _pairs(book: _Book) -> Iterator[tuple[str, str]]:
    """Yield a full name and another name wherever something speaks for it."""
    by_surname: dict[str, list[str]] = defaultdict(list)
    for name in book.counts:
        by_surname[surname_of(name)].append(name)
    seen = {pair for pair in book.told if pair[0] in book.counts}
    seen |= {(full, other) for surname, other in book.behind for full in by_surname[surname]}
    yield from sorted(
        (full, other)
        for full, other in seen
        if full != other and surname_of(full) and full != surname_of(full) + other
    )


def _signs(book: _Book, full: str, other: str) -> list[float]:
    surname = surname_of(full)
    told = book.told[full, other]
    all_told = sum(count for (_, name), count in book.told.items() if name == other)
    behind = book.behind[surname, other]
    all_behind = sum(count for (_, name), count in book.behind.items() if name == other)
    ours, theirs = book.counts[full], book.counts[other]
    both = len(book.sentences[full] & book.sentences[other])
    chapters = len(book.chapters[full] & book.chapters[other])
    return [
        float(np.log1p(told)),
        float(np.log1p(book.direct[full, other])),
        told / all_told if all_told else 0.0,
        float(np.log1p(behind)),
        behind / all_behind if all_behind else 0.0,
        float(
            bool(surname_of(other)) and surname_of(other) != surname and len(other) > len(surname_of(other))
        ),
        both / max(1, min(ours, theirs)),
        chapters / max(1, min(len(book.chapters[full]), len(book.chapters[other]))),
        float(np.log1p(ours) - np.log1p(theirs)),
    ]


def _evidence(book: _Book, full: str, other: str) -> str:
    if (full, other) in book.words:
        return f"the book says {book.words[full, other]}"
    return "the same surname stands before it"


@cache
def _shipped() -> NDArray[np.float64]:
    from coref.weights_file import weights_in

    text = files("coref").joinpath(_WEIGHTS).read_text("utf-8")
    held = weights_in(text, version=_FORMAT, of="links of Chinese names")
    return np.array([float(held[name]) for name in (*SIGNS, "bias")])
