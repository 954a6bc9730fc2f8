"""The sentences of an opened book that tell what happens, chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.language.syntax import Parse
from coref.types import Annotations
from retrieval import package_weights
from retrieval.events.signs import event_signs, stretches, vectors_of
from retrieval.index import BookIndex
from retrieval.telling.columns import codes
from retrieval.telling.head import EMBEDDER, TellingHead
from retrieval.telling.sentence_table import Floats, Ints
from retrieval.types import EventSentence

WEIGHTS: Final = "weights.safetensors"
_MOST: Final = 12
"""Number of sentences of a stretch."""
_CONSIDERED: Final = 60
"""Number of sentences of a stretch that they are chosen from: those with the highest scores."""
_SHORTEST: Final = 16
"""Characters of the shortest sentence."""
_VERBS: Final = ("VERB", "AUX")
ALIKE: Final = 3.0
"""What a sentence loses for being like one that is chosen already, times the cosine of the two."""


def event_sentences(
    index: BookIndex, annotations: Annotations, *, upto: int | None = None
) -> tuple[EventSentence, ...]:
    """Return the sentences that tell most of what happens in each stretch, in story order."""
    with index.reading():
        return index.kept(annotations, upto, _chosen)


def scored_events(index: BookIndex, annotations: Annotations, upto: int | None) -> Floats:
    """Return what the head says of each sentence that the reader has reached."""
    signs = event_signs(index, annotations, upto)
    if not len(signs):
        return np.zeros(0, np.float32)
    vectors = vectors_of(index, len(signs)) if index.embedder.startswith(EMBEDDER) else None
    return worth(shipped()(signs, vectors))


def worth(outputs: Floats) -> Floats:
    """Return what a sentence is worth: how much of an event it tells, and less if it may not be clear."""
    found: Floats = outputs[:, 0] - np.logaddexp(0, -outputs[:, 1])
    return found


def _chosen(index: BookIndex, annotations: Annotations, upto: int | None) -> tuple[EventSentence, ...]:
    scores = scored_events(index, annotations, upto)
    lines = np.asarray(index.sentences[: len(scores)])
    vectors = vectors_of(index, len(scores))
    verbs = _verbs(annotations.parse, lines)
    found: list[EventSentence] = []
    stretch = stretches(index, len(scores))
    for number in np.unique(stretch).tolist():
        rows = _long_enough(np.flatnonzero(stretch == number), lines)
        rows = rows[verbs[rows]] if verbs[rows].any() else rows
        for rank, row in enumerate(spread(scores[rows], vectors[rows], _MOST)):
            start, end, passage = lines[rows[row]].tolist()
            chapter, score = int(index.chapters[passage]), float(scores[rows[row]])
            found.append(EventSentence(Span(start, end), chapter, number, rank, score))
    return tuple(sorted(found, key=lambda sentence: sentence.span))


def _long_enough(rows: Ints, lines: Ints) -> Ints:
    """Leave out the names of speakers and the like, unless there is nothing else."""
    long: Ints = rows[lines[rows, 1] - lines[rows, 0] >= _SHORTEST]
    return long if len(long) else rows


def _verbs(parse: Parse | None, lines: Ints) -> NDArray[np.bool_]:
    """Return whether each sentence has a verb. A letter's date and the names of those who enter have none."""
    if parse is None or not len(parse):
        return np.ones(len(lines), np.bool_)
    tags, names = codes(parse.tags)
    able = [n for n, name in enumerate(names) if name in _VERBS]
    starts = np.asarray(parse.starts)[np.isin(tags, able)]
    found: NDArray[np.bool_] = np.diff(np.searchsorted(starts, lines[:, :2])).ravel() > 0
    return found


def spread(scores: Floats, vectors: Floats, most: int) -> Iterator[int]:
    """Yield the rows with the highest scores, each the next that is least like those before it."""
    rest = np.argsort(-scores, kind="stable")[:_CONSIDERED]
    value = scores[rest].astype(np.float64)
    likest = np.zeros(len(rest))
    for _ in range(min(most, len(rest))):
        at = int(np.argmax(value - ALIKE * likest))
        yield int(rest[at])
        value[at] = -np.inf
        likest = np.maximum(likest, vectors[rest] @ vectors[rest[at]])


@cache
def shipped() -> TellingHead:
    """Return the head with the weights in the repository."""
    return TellingHead(package_weights.load("retrieval.events", WEIGHTS))
