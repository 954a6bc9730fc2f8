"""Statements about a character that are made by counting, and how they are recognised and checked.

The writer makes its statements with these numbers. The claim extractor recognises the same statements in any
text ("appears in 14 of the 16 chapters") and counts again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from coref.types import CharacterKind
from generation.story.cast import CastIndex
from generation.story.named_people import Names
from generation.types import Context, CountedClaim

MOST_COMPARED = 50
"""Most people of a joint description who are compared in pairs."""
ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_FIRST = re.compile(
    r"\bfirst (?:appears|named|mentioned|met|seen|introduced)\b.*? in chapter (?P<n>\d+)", re.I
)
_LAST = re.compile(r"\blast (?:appears|named|mentioned|seen)\b.*? in chapter (?P<n>\d+)", re.I)
_ALL = re.compile(r"\bappears? in all (?P<all>\w+) chapters", re.I)
_CALLED = re.compile(r"\bis called (?P<alias>[A-Z][^,;]*?) from chapter (?P<n>\d+) on\b")
_SHARE = re.compile(r"\bappears? in (?P<n>\w+) of the (?P<all>\w+) chapters", re.I)
_SPOKEN = re.compile(r"\bspeaks? (?P<n>\w+) times?\b", re.I)
_HEARD = re.compile(r"\bspeaks? .*?most often to (?P<who>.+)$", re.I)
_WITH = re.compile(r"\bmost often seen with (?P<who>.+)$", re.I)
_THIRD = re.compile(r"\bmost often seen with (?P<who>.+) in the (?P<part>first|last) third of the book", re.I)
_TOGETHER = re.compile(r"^Of these people,? (?P<who>.+) are most often seen together", re.I)
_RANK = re.compile(r"\bthe (?P<nth>(?:second |third |fourth |fifth )?)most often mentioned\b", re.I)


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


def number(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    return _NUMBERS.index(word.lower()) + 1 if word.lower() in _NUMBERS else None


def in_words(n: int, *, beside: int = 1) -> str:
    """Return a number up to twelve in words, if the number beside it is in words too."""
    return _NUMBERS[n - 1] if 1 <= n <= len(_NUMBERS) and beside <= len(_NUMBERS) else str(n)


def recognise(text: str, *, subject: str, context: Context, cast: CastIndex) -> CountedClaim | None:
    """Return the counted value that a text states, with the actual count, or None for other statements."""
    counts = Counts(cast, subject)
    return _together(text, context, cast) or _chapters(text, counts, context) or _company(text, counts)


def _chapters(text: str, counts: Counts, context: Context) -> CountedClaim | None:
    if not counts.chapters:
        return None
    if match := _FIRST.search(text):
        return CountedClaim(f"chapter {match['n']}", f"chapter {counts.chapters[0]}")
    if match := _LAST.search(text):
        return CountedClaim(f"chapter {match['n']}", f"chapter {counts.chapters[-1]}")
    if match := _SHARE.search(text):
        said = f"{number(match['n'])} of {number(match['all'])}"
        return CountedClaim(said, f"{len(counts.chapters)} of {len(context.book.chapters)}")
    if match := _ALL.search(text):
        said = f"{number(match['all'])} of {len(context.book.chapters)}"
        return CountedClaim(said, f"{len(counts.chapters)} of {len(context.book.chapters)}")
    if match := _CALLED.search(text):
        return CountedClaim(f"chapter {match['n']}", f"chapter {counts.called_from(match['alias'])}")
    return None


def closest(people: Sequence[str], cast: CastIndex) -> tuple[str, str, int] | None:
    """Return the two people who share most paragraphs, with the number of paragraphs."""
    pairs = [
        (one, other, len(set(cast.paragraphs_of(one)) & set(cast.paragraphs_of(other))))
        for one, other in combinations(people, 2)
    ]
    best = max(pairs, key=lambda pair: pair[2], default=None)
    return best if best and best[2] else None


def _together(text: str, context: Context, cast: CastIndex) -> CountedClaim | None:
    match = _TOGETHER.search(text)
    best = closest([c.id for c in context.people[:MOST_COMPARED]], cast) if match else None
    if match is None or best is None:
        return None
    found = sorted(cast.by_id[who].name for who in best[:2])
    return CountedClaim(", ".join(sorted(match["who"].split(" and "))), ", ".join(found))


def _company(text: str, counts: Counts) -> CountedClaim | None:
    if match := _RANK.search(text):
        said = ORDINALS.index(match["nth"].lower()) + 1
        return CountedClaim(f"rank {said}", f"rank {counts.rank}")
    if match := _THIRD.search(text):
        return _named(match["who"], counts.companions_in(match["part"].lower()), counts)
    if match := _WITH.search(text):
        return _named(match["who"], counts.companions, counts)
    spoken, heard = _SPOKEN.search(text), _HEARD.search(text)
    if spoken:
        return CountedClaim(f"{number(spoken['n'])} speeches", f"{counts.speeches} speeches")
    return _named(heard["who"], counts.addressees, counts) if heard else None


def _named(said: str, ranked: list[tuple[str, int]], counts: Counts) -> CountedClaim:
    """Compare the names stated with the ranking. Equal counts are equal ranks: the names agree if nobody who
    is left out has a higher count.
    """
    owners = Names(counts.cast.annotations.characters).owners
    called = re.split(r", (?:and )?| and ", said.strip())
    names = [owners[name].name if name in owners else name for name in called]
    by_name = {counts.cast.by_id[who].name: n for who, n in ranked}
    least = min((by_name.get(name, 0) for name in names), default=0)
    above = {name for name, n in by_name.items() if n > least}
    found = names if least and above <= set(names) else list(by_name)[: len(names)]
    return CountedClaim(", ".join(sorted(names)), ", ".join(sorted(found)))
