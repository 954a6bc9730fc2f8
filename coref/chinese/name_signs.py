"""What the tagger of Chinese names is shown of each character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from coref.chinese.lexicon import surnames
from coref.chinese.segment import tagged_words

PLACES: Final = 4
"""Places of a character in its word: first, inside, last, alone."""
RECURRING: Final = 8
"""Classes of how often two characters stand side by side in a chapter."""
_UNKNOWN: Final = 1
"""Id of a character or a tag that the training has not seen. 0 is for padding."""


@dataclass(frozen=True, slots=True)
class SignIds:
    """The ids that the network has learnt."""

    characters: Mapping[str, int]
    tags: Mapping[str, int]
    """jieba's tags of words, each with room for the places in a word."""

    @classmethod
    def of(cls, characters: Sequence[str], tags: Sequence[str]) -> SignIds:
        return cls(
            {character: n for n, character in enumerate(characters, _UNKNOWN + 1)},
            {tag: n for n, tag in enumerate(tags, _UNKNOWN + 1)},
        )

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.characters) + _UNKNOWN + 1, (len(self.tags) + _UNKNOWN + 1) * PLACES


def recurring(paragraphs: Iterable[str]) -> Counter[str]:
    """Count the pairs of characters in a chapter. Names recur."""
    found: Counter[str] = Counter()
    for text in paragraphs:
        found.update(text[n : n + 2] for n in range(len(text) - 1))
    return found


def signs(text: str, pairs: Mapping[str, int], ids: SignIds) -> list[list[int]]:
    """Return five rows of ids for the characters of a simplified text."""
    known = [min(RECURRING - 1, pairs.get(text[n : n + 2], 0).bit_length()) for n in range(len(text) - 1)]
    return [
        [ids.characters.get(character, _UNKNOWN) for character in text],
        _word_places(text, ids),
        [int(character in surnames()) for character in text],
        [0, *known][: len(text)],
        [*known, 0][: len(text)],
    ]


def coarse(tag: str) -> str:
    """Return the class of jieba's tag of a word: names and places apart, others by their first letter."""
    return tag if tag[:2] in ("nr", "ns", "nt", "nz") else tag[:1]


def _word_places(text: str, ids: SignIds) -> list[int]:
    row = [0] * len(text)
    for word, tag, at in tagged_words(text):
        first = ids.tags.get(coarse(tag), _UNKNOWN) * PLACES
        for n in range(len(word)):
            row[at + n] = first + (3 if len(word) == 1 else 0 if n == 0 else 2 if n == len(word) - 1 else 1)
    return row
