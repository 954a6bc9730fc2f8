"""Lessons for `bookworm train people`: pairs of people of a cast, and whether readers say they are one."""

from __future__ import annotations

import numpy as np

from coref.names.person_pairs import FEATURES
from coref.native.groundwork import Groundwork
from coref.native.who_is_who import ResolvedBook
from evaluation.coref.cast_doubts import people_meant
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.casts import NovelCast


def lesson(cast: NovelCast, _: Groundwork, meaning: ResolvedBook) -> OddsLesson:
    meant = people_meant(cast, meaning.compared.names)
    known = [pair for pair in meaning.compared.pairs if meant.keys() >= set(pair)]
    rows = [meaning.compared.pairs[pair] for pair in known]
    return OddsLesson(
        cast.novel,
        np.array(rows, dtype=float).reshape(len(rows), len(FEATURES)),
        np.array([meant[one] == meant[other] for one, other in known], dtype=bool),
    )
