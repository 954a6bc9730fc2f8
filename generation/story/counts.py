"""Counts about a character: chapters, companions, speeches, rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from coref.types import CharacterKind
from generation.story.cast import CastIndex

MOST_COMPARED = 50
"""Most people of a joint description who are compared in pairs."""
ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Counts:
    """Counts about one character in a gated book."""

    def __init__(self, cast: CastIndex, character: str) -> None:
        self.cast = cast
        self.character = character

    @cached_property
    def chapters(self) -> list[int]:
        """Numbers of the chapters that mention the character, counted from 1."""
        mentions = self.cast.annotations.mentions_of(self.character)
        found = (self.cast.book.chapter_at(mention.span.start) for mention in mentions)
        return sorted({chapter.number for chapter in found if chapter})

    @cached_property
    def companions(self) -> list[tuple[str, int]]:
        """Other characters with the number of paragraphs that mention both."""
        mine = set(self.cast.paragraphs_of(self.character))
        shared = Counter(
            {
                other.id: len(mine.intersection(self.cast.paragraphs_of(other.id)))
                for other in self.cast.annotations.characters
                if other.id != self.character and other.kind is not CharacterKind.GROUP
            }
        )
        return [(who, n) for who, n in shared.most_common() if n]

    def companions_in(self, part: str) -> list[tuple[str, int]]:
        """Return the companions in the first or the last third of the book's chapters."""
        found = [(who, len(self.shared_in(part, who))) for who, _ in self.companions[:12]]
        return sorted((f for f in found if f[1]), key=lambda f: -f[1])

    def shared_in(self, part: str, other: str) -> list[int]:
        """Return the paragraphs of that third that mention both."""
        paragraphs, every = self.cast.book.paragraphs, len(self.cast.book.chapters)
        low, high = (0, every / 3) if part == "first" else (every - every / 3, every)
        both = set(self.cast.paragraphs_of(self.character)) & set(self.cast.paragraphs_of(other))
        return sorted(at for at in both if low <= paragraphs[at].chapter < high)

    @cached_property
    def speeches(self) -> int:
        return sum(q.speaker == self.character for q in self.cast.annotations.quotes)

    @cached_property
    def addressees(self) -> list[tuple[str, int]]:
        """Characters that this one speaks to, with the number of speeches."""
        quotes = self.cast.annotations.quotes
        heard = Counter(q.addressee for q in quotes if q.speaker == self.character and q.addressee)
        return [(who, n) for who, n in heard.most_common() if who in self.cast.by_id]

    def called_from(self, alias: str) -> int | None:
        """Return the number of the chapter that first uses this name."""
        first = next((a.first for a in self.cast.by_id[self.character].aliases if a.text == alias), None)
        chapter = None if first is None else self.cast.book.chapter_at(first)
        return chapter.number if chapter else None

    @cached_property
    def rank(self) -> int:
        """Rank by number of mentions; 1 is the most mentioned character."""
        mine = self.cast.by_id[self.character].mention_count
        people = (c for c in self.cast.annotations.characters if c.kind is not CharacterKind.GROUP)
        return 1 + sum(c.mention_count > mine for c in people)


def in_words(n: int, *, beside: int = 1) -> str:
    """Return a number up to twelve in words, if the number beside it is in words too."""
    return _NUMBERS[n - 1] if 1 <= n <= len(_NUMBERS) and beside <= len(_NUMBERS) else str(n)


def closest(people: Sequence[str], cast: CastIndex) -> tuple[str, str, int] | None:
    """Return the two people who share most paragraphs, with the number of paragraphs."""
    pairs = [
        (one, other, len(set(cast.paragraphs_of(one)) & set(cast.paragraphs_of(other))))
        for one, other in combinations(people, 2)
    ]
    best = max(pairs, key=lambda pair: pair[2], default=None)
    return best if best and best[2] else None
