"""Chooses which of a character's names is displayed.

A ranking by what each name shows of itself and beside the others: how much it is used, whether it has
several words, and whether these are words of the character's other names. Its weights are learnt from how
readers call the people of casts that they drew up, by `bookworm train display-names`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log
from typing import Final

import numpy as np

from coref import odds
from coref.language.tokens import Tokens
from coref.language.word_lists import table, words
from coref.names.casing import title_case

FEATURES: Final = (
    "share", "only titles", "title first", "title before several words", "no capital first", "the first",
    "used once", "no capital inside", "common word", "several words", "words of other names",
    "words of its own", "share by words of its own", "share by title",
)  # fmt: skip


class WordCases:
    """How often the words of a book begin with a small letter."""

    def __init__(self, tokens: Tokens) -> None:
        self._all = Counter(tokens.lower)
        self._small = Counter(word for word in tokens.words if word[0].islower())

    def small(self, word: str) -> float:
        low = word.lower()
        return self._small[low] / self._all[low] if self._all[low] else 0.0


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package. It compares the `signs` of two names."""
    return odds.shipped("display_names", FEATURES, of="name to display")


def displayed(names: Mapping[str, int], cases: WordCases, model: odds.LearntOdds | None = None) -> str:
    """Return which of the names to display, by how often each is used."""
    weights = np.array((model or shipped()).weights)
    return max(names, key=lambda name: (float(weights @ signs(name, names, cases)), names[name], name))


def signs(name: str, names: Mapping[str, int], cases: WordCases) -> list[float]:
    """Return the features of a name of somebody who has these. A word that is common counts for less."""
    parts = name.split()
    titles = table("titles")
    content = [word for word in parts if _is_own(word) and word.rstrip(".") not in titles]
    if all(map(_is_initial, content)) and any(map(_is_shouted, parts)):
        content = []
    elsewhere = {word for other in names if other != name for word in other.split()}
    whole = [word for word in content if not _is_initial(word)]
    weighed = [(word in elsewhere, 1 - cases.small(word)) for word in whole or parts]
    others = sum(weight for known, weight in weighed if known)
    own = sum(weight for known, weight in weighed if not known)
    titled = parts[0].rstrip(".") in titles
    share = log(names[name] / sum(names.values()))
    return [
        share,
        float(not content),
        float(titled),
        float(titled and len(parts) > 2),
        float(parts[0][0].islower()),
        float(parts[0].lower() == "the"),
        float(names[name] == 1),
        float(any(word[0].islower() for word in parts[1:])),
        max((cases.small(word) for word in content), default=0.0),
        min(1.0, max(0.0, others + own - 1)),
        min(2.0, others),
        own,
        own * share,
        titled * share,
    ]


def _is_own(word: str) -> bool:
    """Return whether a word has a capital of its own: it is not shouted, nor the `La` of La Valancourt."""
    return word[0].isupper() and not _is_shouted(word) and word.lower() not in words("particles")


def _is_shouted(word: str) -> bool:
    return title_case(word) != word


def _is_initial(word: str) -> bool:
    return len(word.rstrip(".")) == 1
