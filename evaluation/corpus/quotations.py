"""Finds the quotations of the corpus in the novels that they are taken from."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from books.types import Span
from evaluation.corpus.types import CorpusNovel


@dataclass(frozen=True, slots=True)
class MissingQuotation:
    novel: str
    about: str
    """The person, or the chapter, that the quotation is about."""
    quote: str


def text_of(novel: CorpusNovel, folder: Path) -> str | None:
    """Return the text of a novel, from `NAME.txt` or `NAME.txt.gz`; None if the folder has neither."""
    plain, packed = folder / f"{novel.novel}.txt", folder / f"{novel.novel}.txt.gz"
    if plain.exists():
        return plain.read_text("utf-8", errors="replace")
    return gzip.decompress(packed.read_bytes()).decode("utf-8", "replace") if packed.exists() else None


def find(quote: str, text: str) -> Span | None:
    """Return where a quotation first stands in a text. Any white space matches any other."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    return None if found is None else Span(found.start(), found.end())


def missing(novel: CorpusNovel, text: str) -> Iterator[MissingQuotation]:
    """Yield the quotations of a novel that its text does not have."""
    for about, quote in quotations(novel):
        if find(quote, text) is None:
            yield MissingQuotation(novel.novel, about, quote)


def quotations(novel: CorpusNovel) -> Iterator[tuple[str, str]]:
    """Yield every quotation with the person or the chapter that it is about."""
    for person in novel.people:
        for fact in person.true:
            yield from ((person.name, quote) for quote in fact.quotes)
    for event in novel.chapters:
        yield f"chapter {event.chapter}", event.quote
