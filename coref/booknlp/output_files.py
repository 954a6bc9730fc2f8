"""BookNLP's output files as values: read and checked, with nothing guessed.

They are tab-separated without quoting, because a word may be a quotation mark. Token numbers count from 0,
and ends are inclusive. `byte_onset` and `byte_offset` are named after bytes but count code points.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coref.errors import BookNLPUnreadable
from coref.types import MentionKind

UNRESOLVED = -1
ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")
QUOTES = ("quote_start", "quote_end", "mention_start", "mention_end", "mention_phrase", "char_id", "quote")
TOKENS = (
    *("paragraph_ID", "sentence_ID", "token_ID_within_sentence", "token_ID_within_document"),
    *("word", "lemma", "byte_onset", "byte_offset", "POS_tag", "fine_POS_tag"),
    *("dependency_relation", "syntactic_head_ID", "event"),
)
_NEEDED_QUOTES = ("quote_start", "quote_end", "char_id", "quote")
_NEEDED_TOKENS = ("token_ID_within_document", "word", "byte_onset", "byte_offset")
ROLES = ("agent", "patient", "mod", "poss")


@dataclass(frozen=True, slots=True)
class BookNLPEntity:
    cluster: int
    """`UNRESOLVED` if BookNLP was not asked to resolve it."""
    first: int
    last: int
    kind: MentionKind
    category: str
    words: str
    """The words of its tokens, joined by spaces."""


@dataclass(frozen=True, slots=True)
class BookNLPQuote:
    first: int
    last: int
    cluster: int | None
    words: str


@dataclass(frozen=True, slots=True)
class BookNLPToken:
    number: int
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ListedCharacter:
    """A character as listed in `.book`."""

    cluster: int
    gender: str | None
    """The likeliest of BookNLP's pronoun sets, such as `she/her`."""


@dataclass(frozen=True, slots=True)
class BookNLPOutput:
    """The output of one run. Only the entities are always there; None stands for a missing file."""

    entities: tuple[BookNLPEntity, ...]
    quotes: tuple[BookNLPQuote, ...] | None
    tokens: tuple[BookNLPToken, ...] | None
    listed: tuple[ListedCharacter, ...] | None
    words: Mapping[int, str]
    """Every word whose number occurs in some file."""


def read_output(folder: Path) -> BookNLPOutput:
    """Read the output from a folder with one book's files, gzipped or not."""
    entities_at = _only(folder)
    name = entities_at.name.removesuffix(".gz").removesuffix(".entities")
    entities = tuple(_entities(entities_at))
    quotes_at, tokens_at, book_at = (
        _companion_file(folder, name, ending) for ending in ("quotes", "tokens", "book")
    )
    quotes = tuple(_quotes(quotes_at)) if quotes_at else None
    tokens = tuple(_tokens(tokens_at)) if tokens_at else None
    book = _book(book_at) if book_at else None
    numbered = _Numbered()
    rows: list[BookNLPEntity | BookNLPQuote] = [*entities, *(quotes or ())]
    for row in rows:
        numbered.learn(row.first, row.last, row.words)
    for number, word in _roles(book_at, book) if book_at else ():
        numbered.learn(number, number, word)
    for token in tokens or ():
        numbered.learn(token.number, token.number, token.word)
    return BookNLPOutput(
        entities, quotes, tokens, _listed(book_at, book) if book_at else None, numbered.words
    )


class _Numbered:
    """The words by number. Two files that disagree about a word are not from one run."""

    def __init__(self) -> None:
        self.words: dict[int, str] = {}

    def learn(self, first: int, last: int, words: str) -> None:
        split = words.split(" ")
        if len(split) != last - first + 1 or not all(split):
            raise BookNLPUnreadable(f"Tokens {first} to {last} have {len(split)} words in BookNLP's output.")
        for number, word in enumerate(split, first):
            if self.words.setdefault(number, word) != word:
                raise BookNLPUnreadable(
                    f"BookNLP's files disagree about token {number}.",
                    remedy="Give files that one run of BookNLP wrote together.",
                )


def _only(folder: Path) -> Path:
    if not folder.is_dir():
        raise BookNLPUnreadable(f"{folder} is not a folder.")
    found = sorted(p for p in folder.iterdir() if p.name.endswith((".entities", ".entities.gz")))
    if not found:
        raise BookNLPUnreadable(f"{folder} holds no `.entities` file.")
    if len(found) > 1:
        names = ", ".join(p.name for p in found[:8])
        raise BookNLPUnreadable(
            f"{folder} holds the output of several books: {names}.",
            remedy="Give a folder with the output of one book.",
        )
    return found[0]


def _companion_file(folder: Path, name: str, ending: str) -> Path | None:
    paths = (folder / f"{name}.{ending}", folder / f"{name}.{ending}.gz")
    return next((p for p in paths if p.is_file()), None)


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except OSError as error:
        raise BookNLPUnreadable(f"{path.name} can't be read: {error.strerror or 'damaged'}.") from error
    except (EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BookNLPUnreadable(f"{path.name} is damaged or not text in UTF-8.") from error


def _table(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows with their line numbers, keyed by the names of the columns."""
    lines = _text(path).replace("\r\n", "\n").split("\n")
    head = lines[0].split("\t")
    if missing := [name for name in needed if name not in head]:
        raise BookNLPUnreadable(f"{path.name} has no column {missing[0]!r}.")
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(head):
            raise _wrong(path, number, f"has {len(cells)} columns instead of {len(head)}")
        yield number, dict(zip(head, cells, strict=True))


def _wrong(path: Path, line: int, what: str) -> BookNLPUnreadable:
    return BookNLPUnreadable(f"Line {line} of {path.name} {what}.")


def _number(path: Path, line: int, cells: Mapping[str, str], column: str) -> int:
    try:
        return int(cells[column])
    except ValueError:
        raise _wrong(path, line, f"has no number as {column}") from None


def _range(path: Path, line: int, cells: Mapping[str, str], first: str, last: str) -> tuple[int, int]:
    start, end = _number(path, line, cells, first), _number(path, line, cells, last)
    if not 0 <= start <= end:
        raise _wrong(path, line, f"runs from {start} to {end}")
    return start, end


def _entities(path: Path) -> Iterator[BookNLPEntity]:
    for line, cells in _table(path, ENTITIES):
        first, last = _range(path, line, cells, "start_token", "end_token")
        if cells["prop"] not in {kind.value for kind in MentionKind}:
            raise _wrong(path, line, "has a `prop` other than PROP, NOM and PRON")
        kind, cluster = MentionKind(cells["prop"]), _number(path, line, cells, "COREF")
        yield BookNLPEntity(cluster, first, last, kind, cells["cat"], cells["text"])


def _quotes(path: Path) -> Iterator[BookNLPQuote]:
    for line, cells in _table(path, _NEEDED_QUOTES):
        first, last = _range(path, line, cells, "quote_start", "quote_end")
        nobody = cells["char_id"] in ("None", "")
        yield BookNLPQuote(
            first, last, None if nobody else _number(path, line, cells, "char_id"), cells["quote"]
        )


def _tokens(path: Path) -> Iterator[BookNLPToken]:
    for line, cells in _table(path, _NEEDED_TOKENS):
        start, end = _range(path, line, cells, "byte_onset", "byte_offset")
        yield BookNLPToken(_number(path, line, cells, "token_ID_within_document"), cells["word"], start, end)


def _book(path: Path) -> list[dict[str, Any]]:
    try:
        characters = json.loads(_text(path))["characters"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BookNLPUnreadable(f"{path.name} is not the JSON that BookNLP writes.") from error
    if not isinstance(characters, list) or not all(isinstance(c, dict) for c in characters):
        raise BookNLPUnreadable(f"{path.name} is not the JSON that BookNLP writes.")
    return characters


def _roles(path: Path, book: list[dict[str, Any]] | None) -> Iterator[tuple[int, str]]:
    """Yield the words in `.book`, such as what people do and have, each with its token's number."""
    try:
        for character in book or ():
            for role in ROLES:
                for word in character.get(role, ()):
                    yield int(word["i"]), str(word["w"])
    except (KeyError, TypeError, ValueError) as error:
        raise BookNLPUnreadable(f"{path.name} is not the JSON that BookNLP writes.") from error


def _listed(path: Path, book: list[dict[str, Any]] | None) -> tuple[ListedCharacter, ...]:
    try:
        return tuple(
            ListedCharacter(int(c["id"]), str(g["argmax"]) if (g := c.get("g")) else None) for c in book or ()
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BookNLPUnreadable(f"{path.name} is not the JSON that BookNLP writes.") from error
