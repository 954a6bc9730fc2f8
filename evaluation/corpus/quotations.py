"""Finds the quotations of the corpus in the novels that they are taken from."""

from __future__ import annotations

import gzip
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from books.types import Span
from evaluation.corpus.event_readings import event_readings
from evaluation.corpus.readings import readings
from evaluation.corpus.types import CorpusNovel

_PACKED = b"\x1f\x8b"
"""The first bytes of a gzip file."""


class NovelNamed(Protocol):
    @property
    def novel(self) -> str: ...


N = TypeVar("N", bound=NovelNamed)


@dataclass(frozen=True, slots=True)
class MissingQuotation:
    novel: str
    about: str
    """The person, or the chapter, that the quotation is about."""
    quote: str


def path_of(novel: CorpusNovel, folder: Path) -> Path:
    """Return the file with the text of a novel. Raises FileNotFoundError."""
    path = path_by_name(novel.novel, folder)
    if path is None:
        raise FileNotFoundError(f"{folder} does not have the text of {novel.title}")
    return path


def path_by_name(novel: str, folder: Path) -> Path | None:
    """Return the file with the text of a novel, `NAME.txt` or `NAME.txt.gz`, if the folder has it."""
    paths = (folder / f"{novel}{ending}" for ending in (".txt", ".txt.gz"))
    return next((path for path in paths if path.exists()), None)


def with_texts(
    novels: Iterable[N], folder: Path, only: Collection[str] | None = None
) -> Iterator[tuple[N, Path]]:
    """Yield the novels whose text the folder has, with its file. `only` has the names of those to yield."""
    for novel in novels:
        path = path_by_name(novel.novel, folder)
        if path is not None and (not only or novel.novel in only):
            yield novel, path


def text_of(novel: CorpusNovel, folder: Path) -> str:
    """Return the text of a novel, just as its file has it."""
    content = path_of(novel, folder).read_bytes()
    return (gzip.decompress(content) if content.startswith(_PACKED) else content).decode("utf-8", "replace")


def find(quote: str, text: str) -> Span | None:
    """Return where a quotation first stands in a text. Any white space matches any other."""
    return next(find_all(quote, text), None)


def find_all(quote: str, text: str) -> Iterator[Span]:
    """Yield every place where a quotation stands in a text."""
    for found in re.finditer(r"\s+".join(map(re.escape, quote.split())), text):
        yield Span(found.start(), found.end())


def spans_of(quotes: Iterable[str], text: str) -> tuple[Span, ...]:
    """Return where the quotations first stand that a text has."""
    return tuple(span for quote in quotes if (span := find(quote, text)) is not None)


def find_between(begins: str, ends: str, text: str) -> Span | None:
    """Return the part of a text from where some words first stand to where others next stand."""
    first = find(begins, text)
    last = None if first is None else find(ends, text[first.start :])
    return None if first is None or last is None else Span(first.start, first.start + last.end)


def missing(novel: CorpusNovel, text: str) -> Iterator[MissingQuotation]:
    """Yield the quotations of a novel that its text does not have, those of its readings too."""
    for about, quote in with_readings(novel):
        if find(quote, text) is None:
            yield MissingQuotation(novel.novel, about, quote)


def with_readings(novel: CorpusNovel) -> Iterator[tuple[str, str]]:
    """Yield every quotation of a novel, and every sentence that a reader judged, with what it is about."""
    read = ((sentence.person, sentence.quote) for sentence in readings(novel.novel).sentences)
    events = (("what happens", sentence.quote) for sentence in event_readings(novel.novel).sentences)
    return chain(quotations(novel), read, events)


def quotations(novel: CorpusNovel) -> Iterator[tuple[str, str]]:
    """Yield every quotation with the person or the chapter that it is about."""
    for person in novel.people:
        for fact in person.true:
            yield from ((person.name, quote) for quote in fact.quotes)
    for event in novel.chapters:
        yield from ((f"chapter {event.chapter}", quote) for quote in (event.quote, *event.also))
