"""The places of a book that answer a question: found by meaning and by words, and then ranked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from books.types import Span
from retrieval import package_weights
from retrieval.asking import reading
from retrieval.asking.signs import QuestionSigns, by_meaning
from retrieval.index import BookIndex
from retrieval.telling.sentence_table import Floats
from retrieval.types import AnsweringPlace, EventSentence, ScoredSpan

RANKER: Final = "ranker.safetensors"
WORDS_RANKER: Final = "words_ranker.safetensors"
"""The ranker for questions whose meaning is not known, such as Chinese ones."""
FOUND: Final = 40
"""Number of places that are found first."""
PLACES: Final = 12
"""Number of those that are returned."""
READ: Final = 8
"""Maximum number of the likeliest that are read together with the question."""
NEAR: Final = 2.0
"""How much less than the best a place may score by its signs to be read. Reading seldom changes more."""
LEAST: Final = 500
"""Characters to which a place grows from its best passage, if its chapter has them."""
_MOST: Final = 1_500
"""Characters beyond which it does not grow."""
_WORDS: Final = 0.5
"""Weight of the words of a question beside its meaning when places are found first."""


class PlaceRanker:
    """Two weighted sums of the signs: one to compare places, one for the odds that a place answers."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._mean, self._deviation = weights["mean"], weights["deviation"]
        self._weight, self._bias = weights["weight"], weights["bias"]

    def __call__(self, signs: Floats) -> Floats:
        known = (signs - self._mean) / self._deviation
        return np.asarray(known @ self._weight.T + self._bias, np.float32)


def answering_places(
    index: BookIndex,
    question: str,
    *,
    names: Sequence[str] = (),
    upto: int | None = None,
    chapters: Collection[int] | None = None,
    read: bool = True,
) -> tuple[AnsweringPlace, ...]:
    """Return the places that may answer a question, the likeliest first.

    `names` are further names of the people in it. With `chapters`, counted from 0, no other has places.
    Without `read` only the signs of the places count, which takes a third of the time.
    """
    meaning = by_meaning(index, question)
    with index.reading():
        found, signs = found_places(
            index, question, names=names, upto=upto, chapters=chapters, meaning=meaning
        )
        if not found:
            return ()
        said = shipped(RANKER if meaning else WORDS_RANKER)(signs)
        order = np.argsort(-said[:, 0], kind="stable")[:PLACES]
        places, said = [found[n] for n in order.tolist()], said[order]
        reader = reading.shipped() if read and meaning else None
        if reader is not None:
            near = int(np.sum(said[:READ, 0] >= said[0, 0] - NEAR))
            said[:near] = reader(question, places[:near], index.book.text, said[:near])
            order = np.arange(len(places))
            order[:near] = np.argsort(-said[:near, 0], kind="stable")
            places, said = [places[n] for n in order.tolist()], said[order]
        return tuple(
            replace(place, score=float(1 / (1 + np.exp(-odds))))
            for place, odds in zip(places, said[:, 1].tolist(), strict=True)
        )


def found_places(
    index: BookIndex,
    question: str,
    *,
    names: Sequence[str] = (),
    upto: int | None = None,
    chapters: Collection[int] | None = None,
    most: int = FOUND,
    meaning: bool | None = None,
) -> tuple[list[AnsweringPlace], Floats]:
    """Return the places nearest to a question, the nearest first and not yet ranked, with their signs.

    `meaning`: whether vectors tell what is near; None for whether they can.
    """
    if meaning is None:
        meaning = by_meaning(index, question)
    visible = index.visible(upto)
    signs = QuestionSigns(index, question, names, visible, meaning=meaning)
    if chapters is not None:
        signs.nearest[~np.isin(index.chapters[:visible], list(chapters))] = -np.inf
    found: list[AnsweringPlace] = []
    rows: list[list[float]] = []
    for first, last in _nearest(index, signs.nearest + _WORDS * signs.words, most):
        found.append(place_at(index, first, last, signs.sentences))
        rows.append(signs.of(first, last))
    return found, np.array(rows, np.float32)


def _nearest(index: BookIndex, scores: Floats, most: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last passages of the places around the best ones, which do not overlap."""
    taken = np.zeros(len(scores), bool)
    count = 0
    for best in np.argsort(-scores, kind="stable").tolist():
        if count == most or np.isneginf(scores[best]):
            return
        if not taken[best]:
            first, last = around(index, best, len(scores))
            while taken[first:best].any():
                first += 1
            while taken[best : last + 1].any():
                last -= 1
            taken[first : last + 1] = True
            count += 1
            yield first, last


def around(index: BookIndex, passage: int, visible: int) -> tuple[int, int]:
    """Return the first and the last passage of a place, which grows on both sides within its chapter."""
    spans, chapters = index.spans, index.chapters
    first = last = passage
    while spans[last, 1] - spans[first, 0] < LEAST:
        before = first > 0 and chapters[first - 1] == chapters[passage]
        after = last + 1 < visible and chapters[last + 1] == chapters[passage]
        if not before and not after:
            break
        onward = after and (not before or last - passage <= passage - first)
        grown = (first, last + 1) if onward else (first - 1, last)
        if spans[grown[1], 1] - spans[grown[0], 0] > _MOST:
            break
        first, last = grown
    return first, last


def place_at(index: BookIndex, first: int, last: int, near: Floats | None = None) -> AnsweringPlace:
    """Return the place from one passage to another; `near` says how near each sentence of the book is."""
    lines = index.sentences
    start, end = np.searchsorted(lines[:, 2], [first, last + 1]).tolist()
    scores = [0.0] * (end - start) if near is None else near[start:end].tolist()
    return AnsweringPlace(
        Span(int(index.spans[first, 0]), int(index.spans[last, 1])),
        int(index.chapters[first]),
        tuple(range(first, last + 1)),
        0.0,
        tuple(
            ScoredSpan(Span(*at), score)
            for at, score in zip(lines[start:end, :2].tolist(), scores, strict=True)
        ),
    )


def places_of(index: BookIndex, events: Sequence[EventSentence]) -> tuple[AnsweringPlace, ...]:
    """Return the passages of the sentences that tell what happens, the main ones of the chapters first."""
    with index.reading():
        best = sorted(events, key=lambda event: (event.rank, event.span))[:FOUND]
        rows = np.searchsorted(index.sentences[:, 0], [event.span.start for event in best])
        passages = dict.fromkeys(index.sentences[rows, 2].tolist())
        return tuple(place_at(index, passage, passage) for passage in passages)


@cache
def shipped(ranker: str = RANKER) -> PlaceRanker:
    """Return a ranker with the weights in the repository."""
    return PlaceRanker(package_weights.load("retrieval.asking", ranker))
