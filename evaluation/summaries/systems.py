"""Ways to choose the sentences of a chapter's summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from coref.types import Annotations
from retrieval.events.sentences import event_sentences
from retrieval.events.signs import vectors_of
from retrieval.index import BookIndex

Ranked = Mapping[int, Sequence[int]]
"""For each chapter its sentences, the first to be chosen first."""
System = Callable[[BookIndex, Annotations], Ranked]
WORDS: Final = 120
"""Length of a chapter's summary, as in the product."""
LEAST: Final = 3
MOST: Final = 6
"""Number of its sentences."""


def lead(index: BookIndex, _: Annotations) -> Ranked:
    return dict(_chapters(index))


def chance(index: BookIndex, _: Annotations) -> Ranked:
    drawn = np.random.default_rng(0)
    return {chapter: drawn.permutation(rows).tolist() for chapter, rows in _chapters(index)}


def central(index: BookIndex, _: Annotations) -> Ranked:
    """Rank the sentences that are nearest to the whole chapter, by their vectors, first."""
    vectors = vectors_of(index, len(index.sentences))
    found = {}
    for chapter, rows in _chapters(index):
        mine = vectors[rows]
        found[chapter] = [rows[n] for n in np.argsort(-(mine @ mine.mean(0)), kind="stable").tolist()]
    return found


def offline(index: BookIndex, annotations: Annotations) -> Ranked:
    """Rank as the product does."""
    starts = index.sentences[:, 0]
    found: dict[int, list[int]] = {}
    for event in sorted(event_sentences(index, annotations), key=lambda e: (e.rank, -e.score)):
        found.setdefault(event.chapter, []).append(int(np.searchsorted(starts, event.span.start)))
    return found


SYSTEMS: Final[Mapping[str, System]] = {
    "lead": lead,
    "random": chance,
    "central": central,
    "offline": offline,
}


def chosen(index: BookIndex, ranked: Iterable[int]) -> list[int]:
    """Return the first sentences within the length of a summary, in story order."""
    taken: list[int] = []
    words = WORDS
    for row in ranked:
        start, end, _ = index.sentences[row].tolist()
        length = len(index.book.text[start:end].split())
        if len(taken) < MOST and (length <= words or len(taken) < LEAST):
            taken.append(row)
            words -= length
    return sorted(taken)


def _chapters(index: BookIndex) -> Iterable[tuple[int, list[int]]]:
    chapter = np.asarray(index.chapters)[np.asarray(index.sentences)[:, 2]]
    for number in np.unique(chapter).tolist():
        yield number, np.flatnonzero(chapter == number).tolist()
