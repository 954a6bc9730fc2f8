"""The project's own novella, "Low Water at Wickersea", and the gold annotations made by hand for it.

``text()`` is the plain text; ``gold()`` is everything that is known to be true of it. The files are package
data, built from the marked source by ``python -m evaluation.novella.build``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class NovellaChapter:
    """A chapter's place in the text; ``index`` counts from 0."""

    index: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NovellaMention:
    """A mention of a character; ``kind`` is PROP, NOM or PRON."""

    start: int
    end: int
    kind: str
    character: str


@dataclass(frozen=True, slots=True)
class NovellaQuote:
    """A quote with its quotation marks; a party is None if it is nobody in the cast."""

    start: int
    end: int
    speaker: str | None
    addressee: str | None


@dataclass(frozen=True, slots=True)
class NovellaSpan:
    """A stretch of the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NovellaAlias:
    """A name and the chapter, from 1, since which a reader knows it for this character."""

    text: str
    first_chapter: int
    spoiler: bool


@dataclass(frozen=True, slots=True)
class NovellaRelation:
    """The relation of this character to ``to``, known from ``chapter`` (from 1) on."""

    relation: str
    to: str
    chapter: int


@dataclass(frozen=True, slots=True)
class Revelation:
    """The character that a seeming person turns out to be, and the chapter (from 1) that reveals it."""

    character: str
    chapter: int


@dataclass(frozen=True, slots=True)
class NovellaCharacter:
    """One of the cast; ``kind`` is person, group or animal. ``role`` covers the whole story."""

    id: str
    name: str
    kind: str
    pronouns: str
    role: str
    aliases: tuple[NovellaAlias, ...]
    relations: tuple[NovellaRelation, ...]
    revealed_as: Revelation | None


@dataclass(frozen=True, slots=True)
class NovellaEvidence:
    """The words that show a fact, and where they stand in the text."""

    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NovellaFact:
    """A true statement, known from ``chapter`` (from 1) on."""

    id: str
    character: str
    text: str
    category: str
    chapter: int
    evidence: NovellaEvidence


@dataclass(frozen=True, slots=True)
class NovellaReference:
    """What a careful reader might write about a character after the last page."""

    character: str
    descriptions: tuple[str, ...]
    analysis: str


@dataclass(frozen=True, slots=True)
class Gold:
    """All the gold of the novella."""

    sha256: str
    chapters: tuple[NovellaChapter, ...]
    mentions: tuple[NovellaMention, ...]
    mention_chapters: tuple[int, ...]
    quotes: tuple[NovellaQuote, ...]
    not_speech: tuple[NovellaSpan, ...]
    characters: tuple[NovellaCharacter, ...]
    facts: tuple[NovellaFact, ...]
    references: tuple[NovellaReference, ...]


def path() -> Path:
    """Return the path of the plain text; the package is always installed as files."""
    return Path(str(files(__name__) / "novella.txt"))


def text() -> str:
    """Return the plain text that every offset of the gold counts in, in code points."""
    # Read as bytes: translating line ends would be harmless today and fail silently later.
    return path().read_bytes().decode("utf-8")


def _load(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((files(__name__) / "gold" / name).read_text(encoding="utf-8"))
    return content


def _character(row: dict[str, Any]) -> NovellaCharacter:
    revealed = row["revealed_as"]
    return NovellaCharacter(
        row["id"],
        row["name"],
        row["kind"],
        row["pronouns"],
        row["role"],
        tuple(NovellaAlias(**alias) for alias in row["aliases"]),
        tuple(NovellaRelation(**relation) for relation in row["relations"]),
        Revelation(**revealed) if revealed else None,
    )


def _fact(row: dict[str, Any]) -> NovellaFact:
    return NovellaFact(**{**row, "evidence": NovellaEvidence(**row["evidence"])})


def _reference(row: dict[str, Any]) -> NovellaReference:
    return NovellaReference(row["character"], tuple(row["descriptions"]), row["analysis"])


def gold() -> Gold:
    """Load the gold annotations, cast, facts and references."""
    marked = _load("annotations.json")
    return Gold(
        sha256=marked["sha256"],
        chapters=tuple(NovellaChapter(**row) for row in marked["chapters"]),
        mentions=tuple(NovellaMention(**row) for row in marked["mentions"]),
        mention_chapters=tuple(marked["mention_chapters"]),
        quotes=tuple(NovellaQuote(**row) for row in marked["quotes"]),
        not_speech=tuple(NovellaSpan(**row) for row in marked["not_speech"]),
        characters=tuple(_character(row) for row in _load("characters.json")["characters"]),
        facts=tuple(_fact(row) for row in _load("facts.json")["facts"]),
        references=tuple(_reference(row) for row in _load("references.json")["references"]),
    )
