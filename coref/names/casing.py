"""How a book writes its words: which of those with a capital are names."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from coref.language.tokens import Tokens, initial
from coref.language.word_lists import table, words

SMALL_WORDS = frozenset(("of", "the", "and", "in", "to", "with", "from"))
"""Words inside a name that stand without a capital in a sentence."""
_ROMAN = re.compile(r"[IVX]{1,4}")
_WORD = re.compile(r"[^\W\d_][\w'’]*")


@dataclass(slots=True)
class Casing:
    """How often each word stands with a capital inside a sentence, at its start, and without one."""

    inside: Counter[str]
    opening: Counter[str]
    small: Counter[str]

    def is_name(self, word: str, *, opens: bool) -> bool:
        """Whether a capitalised word reads as a name where it stands."""
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
    """A word in capitals as it would stand in a sentence: `HALE` is Hale, `McCoy` stays."""
    return word.capitalize() if len(word) > 1 and word.isupper() else word


def title_of(word: str) -> str | None:
    """The title that a word is, spelt as in the list; None when it is none."""
    if not word[0].isupper():
        return None
    spelt = title_case(word).replace("’", "'")
    return spelt if spelt in table("titles") else None


def in_sentence(name: str) -> str:
    """`LADY BRACKNELL` as it reads elsewhere: `Lady Bracknell`; what is not in capitals stays."""
    return _WORD.sub(lambda match: _cased(match[0], opens=match.start() == 0), name)


def _cased(word: str, *, opens: bool) -> str:
    if not opens and word.casefold() in SMALL_WORDS and word.isupper():
        return word.lower()
    if _ROMAN.fullmatch(word):
        return word
    if word.startswith("Mc") and word[2:].isupper():
        return "Mc" + word[2:].capitalize()
    return title_case(word)
