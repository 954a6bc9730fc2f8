"""Lessons for `bookworm train introductions`: sentences, and whether readers say that they say who it is."""

from __future__ import annotations

import numpy as np

from evaluation.coref.odds_training import OddsLesson
from evaluation.corpus.readings import NovelReadings
from evaluation.corpus.types import CorpusNovel
from evaluation.keyfacts.people import character_of
from evaluation.portraits.types import OpenedBook
from generation.story.introductions import FEATURES, signs


def lesson(novel: CorpusNovel, read: NovelReadings, opened: OpenedBook) -> OddsLesson:
    rows, true = [], []
    for person in novel.people:
        said = [s for s in read.sentences if s.person == person.name and s.says_who is not None]
        character = character_of(person, opened.annotations) if said else None
        for sentence in opened.telling(character.id) if character else ():
            judged = next((s for s in said if sentence.span.start <= s.start < sentence.span.end), None)
            if judged is not None:
                rows.append(signs(sentence))
                true.append(judged.says_who == "yes")
    return OddsLesson(
        novel.novel, np.array(rows, dtype=np.float64).reshape(-1, len(FEATURES)), np.array(true, dtype=bool)
    )
