"""The corpus as lessons for the reader: sentences that readers judged, that key facts quote, and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from evaluation.keyfacts.examples import TellingExample
from evaluation.metrics.logistic import area_or_chance
from evaluation.portraits.types import OpenedBook
from retrieval.telling.head import JUDGED
from retrieval.telling.marked import MarkedSentences
from retrieval.telling.reader import SentenceReader
from retrieval.telling.reader_training import ReaderLesson
from retrieval.types import Category

_JUDGED_WEIGHT: Final = 1.5
_QUOTED_WEIGHT: Final = 0.5
_OTHER_WEIGHT: Final = 0.25
_QUOTED_TELLS: Final = 0.9
_OTHER_TELLS: Final = 0.12
"""The probability that a sentence is telling that a key fact quotes, and one that none does."""
_OTHERS: Final = 24
"""Number of other sentences for each person."""
_TELLING: Final = JUDGED.index("telling")


def lessons(example: TellingExample, opened: OpenedBook) -> Iterator[ReaderLesson]:
    """Yield the lessons on one person of a novel that is open."""
    index = opened.index()
    written = MarkedSentences(opened.book.text, opened.annotations, np.asarray(index.sentences))
    chance = np.random.default_rng(len(example.candidates.sentences))
    quoted, judged = example.labels.any(1), ~np.isnan(example.judged[:, 0])
    rest = np.flatnonzero(example.candidates.present & ~quoted & ~judged)
    others = chance.choice(rest, min(_OTHERS, len(rest)), replace=False)
    for rows, weight in (
        (np.flatnonzero(judged), _JUDGED_WEIGHT),
        (np.flatnonzero(quoted), _QUOTED_WEIGHT),
        (others, _OTHER_WEIGHT),
    ):
        texts = written.of(example.character, example.candidates.sentences[rows].tolist())
        for row, text in zip(rows.tolist(), texts, strict=True):
            wanted = np.full(len(JUDGED) + len(Category), np.nan, np.float32)
            if weight == _JUDGED_WEIGHT:
                wanted[: len(JUDGED)] = example.judged[row]
            elif weight == _QUOTED_WEIGHT:
                wanted[_TELLING] = _QUOTED_TELLS
                wanted[len(JUDGED) :] = example.labels[row]
            else:
                wanted[_TELLING] = _OTHER_TELLS
            yield ReaderLesson(text, wanted, weight)


def agreement(lessons: Sequence[ReaderLesson], reader: SentenceReader) -> dict[str, float]:
    """Return how well the reader ranks the sentences that readers judged: for each judgement the AUC."""
    judged = [lesson for lesson in lessons if lesson.weight == _JUDGED_WEIGHT]
    if not judged:
        return {}
    said, wanted = reader([lesson.text for lesson in judged]), np.stack([lesson.wanted for lesson in judged])
    return {name: area_or_chance(said[:, n], wanted[:, n] == 1) for n, name in enumerate(JUDGED)}
