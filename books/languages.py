"""Identify the language of a text, well enough to know whether we can understand it.

The script identifies most languages; languages that share a script are told apart by the small words that
every text is full of. A book is sampled in many places, because licences, front matter and dialogue can be in
another language.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from books.lists import lines

CHINESE: Final = "zh"
SUPPORTED: Final = ("en", CHINESE)

_STRETCHES = 24
_STRETCH = 1500
_WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0963]){2,}")
_FEW_WORDS = 25
"""Below this number of words, a result may be chance."""
_FEW_LETTERS = 4
_SMALL_WORDS = 0.15
"""The share of small words that marks a language: real texts have 0.2 to 0.6, other languages hardly 0.1."""
_CLEARLY = 1.1
"""The ratio of evidence needed to decide for or against English; between other languages it matters less."""
_ENGLISH_ENOUGH = 0.4
"""The share of English stretches that makes a book of two languages English."""
_HEARD = 0.3
"""The share of the stretches that must give any result at all."""
_KANA_IN_JAPANESE = 0.05
_SYLLABIC: Final = frozenset(("han", "kana", "hangul"))
"""Scripts in which one character says as much as two or three letters."""


@dataclass(frozen=True, slots=True)
class _Language:
    code: str
    name: str
    writing: str
    words: frozenset[str]


def identify(text: str, *, few: int = _FEW_WORDS) -> str | None:
    """Return a lower-case ISO 639-1 code, or None when the text does not give enough evidence.

    Below `few` words, languages that share a script are not told apart.
    """
    heard = [_language_of(stretch, few) for stretch in _stretches(text)]
    votes = Counter(code for code in heard if code)
    if not votes or votes.total() < _HEARD * len(heard):
        return None
    if votes["en"] >= _ENGLISH_ENOUGH * votes.total():
        return "en"
    code, most = votes.most_common(1)[0]
    return code if 2 * most >= votes.total() else None


def name_of(code: str) -> str:
    """Return the English name of a language: `French`."""
    language = _languages().get("no" if code in ("nb", "nn") else code)
    return language.name if language else f"the language “{code}”"


def unit_of(language: str | None) -> str:
    """Return what `count_words` counts in a language."""
    return "characters" if language == CHINESE else "words"


def _stretches(text: str) -> Iterator[str]:
    step = max(_STRETCH, len(text) // _STRETCHES)
    for start in range(0, len(text), step):
        stretch = text[start : start + _STRETCH]
        if start == 0 or 2 * len(stretch) > _STRETCH:
            yield stretch if stretch.isascii() else unicodedata.normalize("NFC", stretch)


def _language_of(stretch: str, few: int) -> str | None:
    writing = "latin" if stretch.isascii() else _writing_of(stretch)
    if writing is None:
        return None
    languages = [language for language in _languages().values() if language.writing == writing]
    if len(languages) > 1:
        return _by_words(stretch, writing, few) or (None if writing == "latin" else languages[0].code)
    return languages[0].code


def _by_words(stretch: str, writing: str, few: int) -> str | None:
    """Return the language with the most small words; words of several languages count less for each."""
    words = _WORD.findall(stretch.casefold())
    if len(words) < few:
        return None
    evidence: defaultdict[str, float] = defaultdict(float)
    covered: Counter[str] = Counter()
    for word, count in Counter(words).items():
        for code, weight in _word_weights(word, writing).items():
            covered[code] += count
            evidence[code] += count * weight
    ranked = sorted(evidence.items(), key=lambda item: -item[1])[:2]
    if not ranked or covered[ranked[0][0]] < _SMALL_WORDS * len(words):
        return None
    (first, most), *others = ranked
    close = [code for code, evidence_for in others if most < _CLEARLY * evidence_for]
    return None if "en" in (first, *close) and close else first


@lru_cache(maxsize=1 << 14)
def _word_weights(word: str, writing: str) -> Mapping[str, float]:
    """Return the languages that a word is evidence for, by itself or else by its letters, with weights."""
    spoken = _speakers(writing)
    keys = [word] if word in spoken or word.isascii() else sorted(set(word))
    told: dict[str, float] = {}
    for key in keys:
        codes = spoken.get(key, ())
        told |= {code: max(told.get(code, 0.0), len(codes) ** -0.5) for code in codes}
    return told


def _writing_of(stretch: str) -> str | None:
    """Return the script of most of the stretch, or None when there is hardly a letter."""
    signs: Counter[str] = Counter()
    for sign, count in Counter(stretch).items():
        writing = _writing(sign)
        if writing:
            signs[writing] += count * (2 if writing in _SYLLABIC else 1)
    if signs["kana"] > _KANA_IN_JAPANESE * (signs["kana"] + signs["han"]):
        signs["kana"] += signs.pop("han", 0)
    if signs.total() < _FEW_LETTERS:
        return None
    return signs.most_common(1)[0][0]


@lru_cache(maxsize=1 << 12)
def _writing(sign: str) -> str | None:
    point = ord(sign)
    starts, ends, names = _writings()
    at = bisect_right(starts, point) - 1
    return names[at] if at >= 0 and point <= ends[at] else None


@cache
def _writings() -> tuple[list[int], list[int], list[str]]:
    ranges = []
    for line in lines("books", "data/writings.txt"):
        name, *spans = line.split()
        ranges += [(*(int(end, 16) for end in span.split("-")), name) for span in spans]
    starts, ends, names = zip(*sorted(ranges), strict=True)
    return list(starts), list(ends), list(names)


@cache
def _languages() -> Mapping[str, _Language]:
    languages = {}
    for line in lines("books", "data/languages.txt"):
        code, name, writing, words = (cell.strip() for cell in line.split("|"))
        known = frozenset(word.casefold() for word in words.split())
        languages[code] = _Language(code, name, writing, known)
    return languages


@cache
def _speakers(writing: str) -> Mapping[str, tuple[str, ...]]:
    """Return, for each small word, the languages of this script that have it."""
    speakers: dict[str, tuple[str, ...]] = {}
    for language in _languages().values():
        if language.writing == writing:
            for word in language.words:
                speakers[word] = (*speakers.get(word, ()), language.code)
    return speakers
