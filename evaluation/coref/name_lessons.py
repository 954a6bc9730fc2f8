"""Lessons for `bookworm train names`: the names of a novel, and whether readers say they are a person's.

What readers of other novels say of a name is a sign, too, and is learnt with it: see `known_nobodies`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import numpy as np

from coref.language.word_lists import same, words
from coref.names.name_signs import nobodys
from coref.names.name_uses import ProperName
from coref.native.groundwork import Groundwork
from coref.native.who_is_who import ResolvedBook
from evaluation.coref.cast_cases import bearers, compared
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.casts import GROUP, NovelCast, casts

_NOVELS: Final = 2
"""In how many novels a name must be nobody's to be known."""


def known_nobodies(novels: Iterable[NovelCast]) -> Mapping[str, int]:
    """Return the names that are nobody's in several novels, and in how many.

    None of their words is a usual given name, or in the name of somebody in any of the novels.
    """
    nobody, borne = (
        Counter[str](),
        {same(word) for word in words("given_names_he") | words("given_names_she")},
    )
    for cast in novels:
        nobody.update({same(name) for name, people in cast.names.items() if not people})
        borne.update(word for name, people in cast.names.items() if people for word in same(name).split())
    known = {
        name: count for name, count in nobody.items() if count >= _NOVELS and borne.isdisjoint(name.split())
    }
    return dict(sorted(known.items()))


def as_table(nobodies: Mapping[str, int]) -> str:
    """Return the table that comes with the package."""
    head = "# Names that are nobody's in several novels of the corpus, a tab, and in how many novels."
    return "\n".join([head, *(f"{name}\t{count}" for name, count in nobodies.items())]) + "\n"


@cache
def _nobodies_beside(novel: str) -> Mapping[str, int]:
    return known_nobodies(cast for cast in casts() if cast.novel != novel)


def lesson(cast: NovelCast, ground: Groundwork, meaning: ResolvedBook) -> OddsLesson:
    owners = bearers(cast)
    written: dict[ProperName, Counter[str]] = defaultdict(Counter)
    for use in ground.uses:
        written[use.name][compared(ground.tokens.surface(use.first, use.end))] += 1
    rows, true = [], []
    for name, signs in meaning.signs.items():
        known = next((form for form, _ in written[name].most_common() if form in owners), None)
        if known is not None and owners[known] != (GROUP,):
            rows.append([*signs[:-1], nobodys(name, _nobodies_beside(cast.novel))])
            true.append(bool(owners[known]))
    return OddsLesson(cast.novel, np.array(rows, dtype=np.float64), np.array(true, dtype=bool))
