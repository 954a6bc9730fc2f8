"""How much of what happens in the chapters of a novel the sentences of their summaries tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evaluation.metrics.rouge import Rouge
from evaluation.portraits.types import OpenedBook
from evaluation.summaries.examples import EVENT, NovelEvents
from evaluation.summaries.systems import System, chosen


@dataclass(frozen=True, slots=True)
class ChapterScore:
    """One chapter's summary. A figure is None where the corpus says nothing that it could be held against."""

    novel: str
    chapter: int
    main: float | None
    """Whether the sentence that the corpus quotes for the main event is among those chosen."""
    also: float | None
    """Share of the corpus' further quotations that are."""
    words_of_event: float | None
    """Share of the words of the main event, as the corpus tells it, that occur (ROUGE-1 recall)."""
    judged: int
    """Number of chosen sentences that readers judged."""
    main_judged: float | None
    """Share of these that tell a main event and are clear."""
    good_judged: float | None
    """Share of these in which something happens, and that are clear."""
    words: int


def score(events: NovelEvents, opened: OpenedBook, system: System, rouge: Rouge) -> Iterator[ChapterScore]:
    index = opened.index()
    quoted = {each.event.chapter - 1: each for each in events.quoted}
    judged = events.rows.judged
    for chapter, ranked in system(index, opened.annotations).items():
        rows = chosen(index, ranked)
        told = " ".join(index.book.text[a:b] for a, b, _ in (index.sentences[row].tolist() for row in rows))
        known = [row for row in rows if not np.isnan(judged[row, 0])]
        event = quoted.get(chapter)
        taken = set(rows)
        also = [] if event is None else [float(bool(taken & set(some))) for some in event.also]
        recall = None if event is None else rouge.compare(told, event.event.event)["rouge1_recall"]
        yield ChapterScore(
            events.novel.novel,
            chapter,
            None if event is None else float(bool(taken & set(event.main))),
            sum(also) / len(also) if also else None,
            recall,
            len(known),
            _share([judged[row, 0] >= EVENT[2] and judged[row, 1] > 0 for row in known]),
            _share([judged[row, 0] >= EVENT[1] and judged[row, 1] > 0 for row in known]),
            len(told.split()),
        )


def _share(found: list[bool]) -> float | None:
    return sum(found) / len(found) if found else None
