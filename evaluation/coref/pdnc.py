"""The Project Dialogism Novel Corpus: novels with a speaker for every quote, and the mentions inside it.

A novel is a folder: `novel_text.txt`; `character_info.csv` (main name, aliases, gender, category);
`quotation_info.csv` (spans into the text, speaker, addressees, type, mentions). Lists are written as Python
writes them. Despite the columns' names the spans count code points. People are named by any alias. A
character whose main name begins with `_` is nobody in particular: a crowd, the narrator, or an unidentifiable
person.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from books.reading import read
from books.types import Book, Span

TYPES = ("Explicit", "Anaphoric", "Implicit")
CATEGORIES = ("major", "intermediate", "minor")
TEXT, CAST, QUOTES = "novel_text.txt", "character_info.csv", "quotation_info.csv"
_ENOUGH = 0.8
"""The share of the gold's quotes that must be found word for word at their offsets.

Below it the offsets are wrong; in the corpus itself a few quotes differ by blanks, or lack a part.
"""


class PdncDamaged(ValueError):
    """A damaged file; the message names the file and the problem."""


@dataclass(frozen=True, slots=True)
class PdncCharacter:
    name: str
    aliases: frozenset[str]
    """Includes the main name."""
    category: str

    @property
    def somebody(self) -> bool:
        return not self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class PdncMention:
    span: Span
    characters: tuple[str, ...]
    """Main names; a name that is not in the cast stays as it is."""


@dataclass(frozen=True, slots=True)
class PdncQuote:
    spans: tuple[Span, ...]
    """Spans without quotation marks; a quote that narration interrupts has several."""
    speaker: str
    addressees: tuple[str, ...]
    """Main names of the annotated addressees."""
    type: str
    """One of `TYPES`, or empty."""
    mentions: tuple[PdncMention, ...]


@dataclass(frozen=True, slots=True)
class PdncNovel:
    name: str
    book: Book
    cast: Mapping[str, PdncCharacter]
    """By main name."""
    quotes: tuple[PdncQuote, ...]

    def has_somebody(self, name: str) -> bool:
        return name in self.cast and self.cast[name].somebody


def folders(folder: Path) -> list[Path]:
    """Return the novels of the corpus by name; `folder` may also be a single novel."""
    if (folder / QUOTES).is_file():
        return [folder]
    return sorted(path for path in folder.iterdir() if (path / QUOTES).is_file())


def halves(paths: Sequence[Path]) -> dict[str, str]:
    """Assign the novels, by name, to the halves `a` (first, third, fifth…) and `b` (the others).

    Tune on one half and report the other.
    """
    return {path.name: "ab"[at % 2] for at, path in enumerate(sorted(paths))}


def load(folder: Path) -> PdncNovel:
    book = read((folder / TEXT).read_bytes(), name=folder.name)
    try:
        cast = [_character(row) for row in _rows(folder / CAST)]
        main = {alias: character.name for character in cast for alias in sorted(character.aliases)}
        rows = list(_rows(folder / QUOTES))
        _check(book.text, rows)
        quotes = tuple(_quote(row, main) for row in rows)
    except (KeyError, ValueError, TypeError, SyntaxError) as error:
        raise PdncDamaged(f"{folder.name}: {error}") from error
    return PdncNovel(folder.name, book, {character.name: character for character in cast}, quotes)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _character(row: Mapping[str, str]) -> PdncCharacter:
    name = row["Main Name"].strip()
    aliases = {alias.strip() for alias in ast.literal_eval(row["Aliases"])}
    return PdncCharacter(name, frozenset({name, *aliases}), row["Category"])


def _quote(row: Mapping[str, str], main: Mapping[str, str]) -> PdncQuote:
    spans = tuple(Span(*pair) for pair in _list(row, "quoteByteSpans"))
    places, meant = _list(row, "mentionSpansList"), _list(row, "mentionEntitiesList")
    mentions = [
        PdncMention(Span(*pair), tuple(main.get(name.strip(), name.strip()) for name in names))
        for part, entities in zip(places, meant, strict=True)
        if len(part) == len(entities)  # otherwise it is unknown which of them is meant where
        for pair, names in zip(part, entities, strict=True)
    ]
    speaker = row["speaker"].strip()
    kind = row["quoteType"] if row["quoteType"] in TYPES else ""
    heard = dict.fromkeys(main.get(name.strip(), name.strip()) for name in _list(row, "addressees") if name)
    return PdncQuote(spans, main.get(speaker, speaker), tuple(heard), kind, tuple(mentions))


def _check(text: str, rows: Sequence[Mapping[str, str]]) -> None:
    parts = [
        (Span(*pair), part)
        for row in rows
        for pair, part in zip(_list(row, "quoteByteSpans"), _list(row, "subQuotationList"), strict=False)
    ]
    right = sum(span.of(text) == part for span, part in parts)
    if right < _ENOUGH * len(parts):
        raise ValueError(f"of {len(parts)} quotes only {right} are where {QUOTES} says: another text?")


def _list(row: Mapping[str, str], column: str) -> list[Any]:
    found = ast.literal_eval(row[column])
    if not isinstance(found, list):
        raise TypeError(f"{column} holds no list: {row[column][:60]!r}")
    return found
