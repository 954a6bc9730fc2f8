"""Lessons for `bookworm train turns`: whether one person utters two quotations of a paragraph."""

from __future__ import annotations

import numpy as np

from coref.native.groundwork import Groundwork
from coref.native.who_is_who import ResolvedBook, turns_heard
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.quote_surroundings import Surroundings
from coref.speech.speech_tags import SpeechTag
from coref.speech.turn_division import FEATURES, GoesOn, row_of
from coref.speech.turns import Turn
from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.turns import NovelTurns


def lesson(novel: NovelTurns, ground: Groundwork, meaning: ResolvedBook) -> OddsLesson:
    """Return what the pairs of a novel teach. Quotations that nobody was asked of are one turn."""
    marked = {pair.start: pair.one for pair in novel.pairs}
    rows: list[list[float]] = []
    true: list[bool] = []

    def marking(around: Surroundings) -> GoesOn:
        def goes_on(turn: Turn, each: AttributedSpeech, tag: SpeechTag | None) -> bool:
            one = marked.get(each.speech.start)
            if one is not None:
                rows.append(row_of(around, turn, each, tag))
                true.append(one)
            return one is not False

        return goes_on

    turns_heard(ground, meaning.cast, meaning.every, meaning.tellers, meaning.shares, marking)
    values = np.array(rows, dtype=float).reshape(len(rows), len(FEATURES))
    return OddsLesson(novel.novel, values, np.array(true, dtype=bool))
