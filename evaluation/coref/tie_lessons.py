"""Lessons for `bookworm train ties`: ties that the people of a novel may have, and whether readers say so."""

from __future__ import annotations

from typing import cast as typed

import numpy as np

from books.types import Book
from coref.types import Annotations
from evaluation.coref.cast_doubts import people_of
from evaluation.coref.cast_ties import one_way
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.casts import CastTie, NovelCast, TieName
from generation.story.cast import cast_of
from generation.story.indexed_book import reading_of
from generation.story.ties.tie_signs import FEATURES, SignReader


def lesson(cast: NovelCast, book: Book, annotations: Annotations) -> OddsLesson:
    meant = people_of(cast, annotations)
    told = {one_way(tie) for tie in cast.ties}
    rows, true = [], []
    for key, row in SignReader(reading_of(cast_of(book, annotations))).rows().items():
        one, other = meant.get(key.one), meant.get(key.other)
        if one is not None and other is not None and one != other:
            rows.append(row)
            true.append(one_way(CastTie(one, typed(TieName, key.tie), other)) in told)
    return OddsLesson(
        cast.novel, np.array(rows, dtype=np.float64).reshape(-1, len(FEATURES)), np.array(true, dtype=bool)
    )
