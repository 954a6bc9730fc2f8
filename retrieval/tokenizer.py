"""Terms: what BM25 compares. The same function serves building and asking, and its version is in the index.

Case, accents, possessives and plurals make no difference; function words are left out; each Chinese or
Japanese character is a term of its own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from books.lists import lines

VERSION = 1

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_MARKS = re.compile(r"[\u0300-\u036f]+")


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeated as often as they occur."""
    if not text.isascii():
        text = _plain(text)
    found = map(_term, _WORD.findall(text.casefold()))
    return [term for term in found if term]


def _plain(text: str) -> str:
    """Without accents, with straight apostrophes, and with ideographs set apart."""
    straight = text.replace("’", "'").replace("ʼ", "'")
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", straight))
    return _IDEOGRAPH.sub(r" \g<0> ", unicodedata.normalize("NFC", bare))


@lru_cache(maxsize=65_536)
def _term(word: str) -> str:
    """The term for a case-folded word; empty for a function word."""
    word = word.removesuffix("'s")
    return "" if word in _stop() else _singular(word)


def _singular(word: str) -> str:
    """Harman's S-stemmer: plurals only, so that names stay apart."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if len(word) > 4 and word.endswith("ies") and word[-4] not in "ea":
        return word[:-3] + "y"
    return word[:-1]


@cache
def _stop() -> frozenset[str]:
    return frozenset(word for line in lines("retrieval", "words/stop.txt") for word in line.split())
