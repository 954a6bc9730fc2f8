"""The corpus as examples of sentences that tell a chapter's events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from books.types import Book, Span
from evaluation.corpus.event_readings import event_readings
from evaluation.corpus.quotations import find
from evaluation.corpus.types import ChapterEvent, CorpusNovel
from evaluation.portraits.types import OpenedBook
from retrieval.events.signs import event_signs, vectors_of
from retrieval.events.training import EventRows, WantedSentences
from retrieval.index import BookIndex
from retrieval.sentences import touched
from retrieval.telling.sentence_table import Floats

EVENT: Final = (0.0, 0.4, 1.0)
"""What readers said as probabilities."""
_ALSO: Final = 0.5
"""Weight of a further quotation of a chapter beside that of its main event."""
_KEY_FACTS: Final = {"event": 0.3, "relationship": 0.1, "role": 0.1}
"""The same for quotations of key facts about people."""


@dataclass(frozen=True, slots=True)
class QuotedEvent:
    """The event of a chapter, with the sentences that its quotations touch."""

    event: ChapterEvent
    main: tuple[int, ...]
    also: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class NovelEvents:
    novel: CorpusNovel
    rows: EventRows
    quoted: tuple[QuotedEvent, ...]


def novel_events(novel: CorpusNovel, opened: OpenedBook) -> NovelEvents:
    """Return the examples of a novel that is open."""
    index, book = opened.index(), opened.book
    signs = event_signs(index, opened.annotations, None)
    quoted = tuple(_quoted(novel, book, index))
    wanted = [WantedSentences(np.array(each.main), 1.0) for each in quoted]
    wanted += [WantedSentences(np.array(some), _ALSO) for each in quoted for some in each.also]
    rows = EventRows(
        signs=signs,
        vectors=vectors_of(index, len(signs)),
        chapter=np.asarray(index.chapters)[np.asarray(index.sentences)[:, 2]],
        wanted=(*wanted, *_of_key_facts(novel, book, index)),
        judged=_judged(novel, index),
    )
    return NovelEvents(novel, rows, quoted)


def _quoted(novel: CorpusNovel, book: Book, index: BookIndex) -> Iterator[QuotedEvent]:
    for event in novel.chapters:
        if event.chapter > len(book.chapters):
            continue
        chapter = book.chapters[event.chapter - 1].span
        main = _touched(event.quote, chapter, index)
        also = (_touched(quote, chapter, index) for quote in event.also)
        if main:
            yield QuotedEvent(event, main, tuple(some for some in also if some))


def _of_key_facts(novel: CorpusNovel, book: Book, index: BookIndex) -> Iterator[WantedSentences]:
    whole = Span(0, len(book.text))
    for person in novel.people:
        for fact in person.true:
            for quote in fact.quotes:
                some = _touched(quote, whole, index)
                if fact.category in _KEY_FACTS and some:
                    yield WantedSentences(np.array(some), _KEY_FACTS[fact.category])


def _touched(quote: str, within: Span, index: BookIndex) -> tuple[int, ...]:
    """Return the sentences that a quotation touches; none if it is not found."""
    found = find(quote, within.of(index.book.text))
    if found is None:
        return ()
    span = Span(within.start + found.start, within.start + found.end)
    return tuple(touched(span, index.sentences[:, 0], index.sentences[:, 1]))


def _judged(novel: CorpusNovel, index: BookIndex) -> Floats:
    """Return what readers said of each sentence of the book."""
    found = np.full((len(index.sentences), 2), np.nan, np.float32)
    for reading in event_readings(novel.novel).sentences:
        at = int(np.searchsorted(index.sentences[:, 0], reading.start))
        if at < len(found) and index.sentences[at, 0] == reading.start:
            found[at] = (EVENT[reading.event], reading.clear)
    return found
