"""Who is who in novels of the corpus, and who tells them: what readers said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from pydantic import TypeAdapter

from books.types import Span
from evaluation.corpus.loading import each
from evaluation.corpus.quotations import find

GROUP = "group"
"""Who is meant by `the Hales`. None means no person of the story."""


@dataclass(frozen=True, slots=True)
class CastPlace:
    """A place where somebody is named, or says "I"."""

    before: str
    """What stands before the words. With it and what stands after them, the novel has them only once."""
    words: str
    after: str
    who: str | None
    """The person's key, `group`, or None for no person of the story."""

    @property
    def quote(self) -> str:
        return f"{self.before}{self.words}{self.after}"

    def find(self, text: str) -> Span | None:
        """Return the span of the words. Any white space matches any other."""
        parts = (_any_blanks(part) for part in (self.before, self.words, self.after))
        found = re.search("({})({})({})".format(*parts), text)
        return None if found is None else Span(*found.span(2))


def _any_blanks(words: str) -> str:
    return r"\s+".join(map(re.escape, re.split(r"\s+", words)))


@dataclass(frozen=True, slots=True)
class CastCase:
    """A trap for whoever draws up the cast: are two names one person's, or is a name anybody's?"""

    kind: str
    """`married name`, `title`, `family`, `full name`, `nickname`, `learnt late` or `not a person`."""
    one: str
    other: str | None
    """None asks whether `one` is somebody of the story."""
    answer: bool


@dataclass(frozen=True, slots=True)
class TellerPart:
    """A stretch of the text that one person tells, by its first and last words."""

    who: str | None
    """The person's key, or None for nobody in the book."""
    start: str
    end: str
    quoted: bool = False
    """Whether each of its paragraphs begins with quotation marks: somebody tells it aloud."""

    def find(self, text: str) -> Span | None:
        """Return the stretch. Any white space matches any other."""
        first, last = find(self.start, text), find(self.end, text)
        return None if first is None or last is None else Span(first.start, last.end)


TieName = Literal[
    "parent", "sibling", "spouse", "grandparent", "aunt or uncle", "cousin", "parent-in-law",
    "sibling-in-law", "betrothed", "lover", "friend", "guardian", "servant", "teacher",
]  # fmt: skip
BOTH_WAYS: Final = frozenset(
    ("sibling", "spouse", "cousin", "sibling-in-law", "betrothed", "lover", "friend")
)
"""Ties that are the same from both sides."""


class CastTie(NamedTuple):
    """What one person, by their key, is of another."""

    who: str
    name: TieName
    of: str


@dataclass(frozen=True, slots=True)
class NovelCast:
    novel: str
    people: Mapping[str, str]
    """The name of each person by their key."""
    places: tuple[CastPlace, ...]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The people whom the novel calls by each name: none if it is no person's. Empty if no reader said."""
    cases: tuple[CastCase, ...] = ()
    tellers: tuple[TellerPart, ...] = ()
    """The parts of the text by who tells them, in order. Empty if no reader said, or nobody in it tells."""
    ties: tuple[CastTie, ...] = ()
    """What the people are of each other: every tie of these names. Empty if no reader said."""


_CAST: TypeAdapter[NovelCast] = TypeAdapter(NovelCast)


def casts() -> Iterator[NovelCast]:
    """Yield the casts in the order of their file names."""
    return each("casts", _CAST)
