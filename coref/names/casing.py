"""How a book capitalises its words, to tell which capitalised words are names."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from coref.language.tokens import Tokens, initial
from coref.language.word_lists import table, words

SMALL_WORDS = frozenset(("of", "the", "and", "in", "to", "with", "from"))
"""Words inside a name that have no capital in a sentence."""
_ROMAN = re.compile(r"[IVX]{1,4}")
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_PREFIXED = re.compile(r"([A-Z][a-z]+)([A-Z]{2,})")
"""`McBRIDE`: a name in capitals whose prefix keeps its small letters."""


@dataclass(slots=True)
class Casing:
    """How often each word has a capital inside a sentence, has one at its start, and has none."""

    inside: Counter[str]
    opening: Counter[str]
    small: Counter[str]

    def is_name(self, word: str, *, opens: bool) -> bool:
        """Return whether a capitalised word reads as a name in its position."""
        given = word in words("given_names_she") or word in words("given_names_he")
        small = self.small[word.lower()]
        if word in words("never_names"):
            return given and not opens and self.inside[word] > 1
        if opens:
            rare = small <= self.inside[word] // 2
            return (self.inside[word] >= 1 and rare) or (given and small == 0)
        return given or small <= 3 * self.inside[word]


def study(tokens: Tokens) -> Casing:
    inside: Counter[str] = Counter()
    opening: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for word, opens in zip(tokens.words, tokens.opens, strict=True):
        head = word[0]
        if head.islower():
            small[word] += 1
        elif head.isupper() and not (len(word) > 1 and word.isupper()):
            (opening if opens else inside)[word] += 1
    return Casing(inside, opening, small)


def is_capitalised(word: str) -> bool:
    return word[0].isupper() and (len(word) > 1 or initial(word))


def title_case(word: str) -> str:
    """Return a word in capitals as in a sentence: `HALE` becomes Hale, `McCOY` McCoy, and `McCoy` stays."""
    if prefixed := _PREFIXED.fullmatch(word):
        return prefixed[1] + prefixed[2].capitalize()
    return word.capitalize() if len(word) > 1 and word.isupper() else word


def title_of(word: str) -> str | None:
    """Return the title that a word is, spelt as in the list, or None if it is no title."""
    if not word[0].isupper():
        return None
    spelt = title_case(word).replace("’", "'")
    return spelt if spelt in table("titles") else None


def in_sentence(name: str) -> str:
    """Return `LADY BRACKNELL` as `Lady Bracknell`. Words that are not in capitals stay as they are."""
    return _WORD.sub(lambda match: _cased(match[0], opens=match.start() == 0), name)


def _cased(word: str, *, opens: bool) -> str:
    if not opens and word.casefold() in SMALL_WORDS and word.isupper():
        return word.lower()
    if _ROMAN.fullmatch(word):
        return word
    return title_case(word)
