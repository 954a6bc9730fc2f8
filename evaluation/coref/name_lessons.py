"""Lessons for `bookworm train names`: the names of a novel, and whether readers say they are a person's."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from coref.names.name_uses import ProperName
from coref.native.groundwork import Groundwork
from coref.native.who_is_who import ResolvedBook
from evaluation.coref.cast_cases import bearers, compared
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.casts import GROUP, NovelCast


def lesson(cast: NovelCast, ground: Groundwork, meaning: ResolvedBook) -> OddsLesson:
    owners = bearers(cast)
    written: dict[ProperName, Counter[str]] = defaultdict(Counter)
    for use in ground.uses:
        written[use.name][compared(ground.tokens.surface(use.first, use.end))] += 1
    rows, true = [], []
    for name, signs in meaning.signs.items():
        known = next((form for form, _ in written[name].most_common() if form in owners), None)
        if known is not None and owners[known] != (GROUP,):
            rows.append(signs)
            true.append(bool(owners[known]))
    return OddsLesson(cast.novel, np.array(rows, dtype=np.float64), np.array(true, dtype=bool))
