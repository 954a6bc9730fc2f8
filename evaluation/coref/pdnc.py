"""The Project Dialogism Novel Corpus: novels whose every quote has a speaker, and the mentions inside it too.

A novel is a folder: `novel_text.txt`; `character_info.csv` (main name, aliases, gender, category);
`quotation_info.csv` (spans into the text, speaker, addressees, type, mentions). Lists are written as Python
writes them. Despite the columns' names the spans count code points. People are named by any alias. A
character whose main name begins with `_` is nobody in particular: a crowd, the narrator, or one who cannot be
known.
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
"""Of the gold's quotes, so many must be found word for word at their places, or the places are wrong; in the
corpus itself a few differ by blanks, or lack a part."""


class PdncDamaged(ValueError):
    """Says which file, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class PdncCharacter:
    name: str
    aliases: frozenset[str]
    """The main name is among them."""
    category: str

    @property
    def somebody(self) -> bool:
        return not self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class PdncMention:
    span: Span
    characters: tuple[str, ...]
    """Main names; a name that the cast does not hold stays as it is."""


@dataclass(frozen=True, slots=True)
class PdncQuote:
    spans: tuple[Span, ...]
    """Without the marks; one that is broken off by narration has several."""
    speaker: str
    addressees: tuple[str, ...]
    """Main names; whoever is said to hear it."""
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


def folders(folder: Path) -> list[Path]:
    """The novels of the corpus, by name; `folder` may also be a novel itself."""
    if (folder / QUOTES).is_file():
        return [folder]
    return sorted(path for path in folder.iterdir() if (path / QUOTES).is_file())


def halves(paths: Sequence[Path]) -> dict[str, str]:
    """`a` are the first, third, fifth… novel by name, `b` the others: to tune on one and report the other."""
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
        if len(part) == len(entities)  # else nobody knows which of them is meant where
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
