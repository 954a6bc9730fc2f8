"""The values of the corpus, as its JSON files state them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from generation.types import Category

CATEGORIES: Final = ("role", "relationship", "personality", "event", "mental state", "other")
SPLITS: Final = ("train", "dev", "test")
Split = Literal["train", "dev", "test"]


def as_category(name: str) -> Category:
    """Return the category of a fact by its name in the files."""
    return Category(name.replace(" ", "_"))


@dataclass(frozen=True, slots=True)
class KeyFact:
    """A fact that a good study guide would give."""

    fact: str
    category: str
    chapter: int
    """The chapter of the story, from 1, from which a reader knows it."""
    quotes: tuple[str, ...]
    """Word for word from the novel, white space aside."""


@dataclass(frozen=True, slots=True)
class FalseFact:
    """A plausible fact that the novel does not bear out."""

    fact: str
    category: str
    why: str


@dataclass(frozen=True, slots=True)
class PersonAnalysis:
    text: str
    themes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusPerson:
    name: str
    aliases: tuple[str, ...]
    pronouns: str
    who: str
    """One line that does not give away the ending."""
    description: str
    true: tuple[KeyFact, ...]
    false: tuple[FalseFact, ...]
    analysis: PersonAnalysis | None = None


@dataclass(frozen=True, slots=True)
class ChapterEvent:
    """The main event of a chapter."""

    chapter: int
    event: str
    quote: str
    also: tuple[str, ...] = ()
    """What else of the chapter a summary would keep, word for word."""


@dataclass(frozen=True, slots=True)
class CorpusRecap:
    """The story so far, for a reader who has read up to the end of a chapter."""

    upto: int
    text: str


@dataclass(frozen=True, slots=True)
class CorpusNovel:
    novel: str
    """The name of its text: the file without its endings."""
    title: str
    author: str
    split: Split
    people: tuple[CorpusPerson, ...]
    chapters: tuple[ChapterEvent, ...] = ()
    recaps: tuple[CorpusRecap, ...] = ()
