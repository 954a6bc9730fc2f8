"""Lessons for `bookworm train people`: pairs of characters, and whether readers say they are one person."""

from __future__ import annotations

import numpy as np

from coref.names.person_pairs import PersonPairs
from coref.native.groundwork import Groundwork
from coref.native.resolver import assemble, listed
from coref.native.who_is_who import ResolvedBook
from evaluation.coref.cast_doubts import people_meant
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.casts import NovelCast


def lesson(cast: NovelCast, ground: Groundwork, meaning: ResolvedBook) -> OddsLesson:
    ids = listed(ground, meaning)
    people = {number: meaning.cast.people[number] for number in ids}
    pairs = PersonPairs(ground.tokens, people, meaning.every, meaning.earlier)
    meant = people_meant(cast, assemble(ground, meaning).characters)
    known = [(one, other) for one, other in pairs if {ids[one], ids[other]} <= meant.keys()]
    same = [meant[ids[one]] == meant[ids[other]] for one, other in known]
    return OddsLesson(
        cast.novel, np.array([pairs.features(pair) for pair in known]), np.array(same, dtype=bool)
    )
