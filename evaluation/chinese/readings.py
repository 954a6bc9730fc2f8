"""What readers said of sentences of Chinese novels, as lessons for the head that scores sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from pydantic import TypeAdapter

from coref.types import Annotations
from evaluation.chinese.gold import FOLDER
from evaluation.metrics.logistic import Features, Matrix, fit
from generation.story.profile import CERTAIN
from generation.story.selection import ALONE, WORTH
from retrieval.index import BookIndex
from retrieval.telling.chinese import ChineseHead, grams_of
from retrieval.telling.head import JUDGED
from retrieval.telling.sentence_table import Floats
from retrieval.telling.sentences import candidates_of, marked_of
from retrieval.types import Category

READINGS: Final = FOLDER / "readings"
_CATEGORIES: Final = {
    "role": Category.ROLE,
    "tie": Category.RELATIONSHIP,
    "nature": Category.PERSONALITY,
    "event": Category.EVENT,
    "looks": Category.OTHER,
    "other": Category.OTHER,
}
_RIDGE: Final = 20.0
_SEEN: Final = 4
"""Sentences that a gram must be in."""
MUCH: Final = 2
_ALONE: Final = 2.2
"""Added to the odds of standing alone: these readers were stricter than those whom the threshold is for."""
_LEAST: Final = 1e-4
_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class ReadChineseSentence:
    person: str
    sentence: str
    about: bool
    telling: int
    """As in `evaluation.corpus.readings`."""
    alone: bool
    kind: str

    @property
    def wanted(self) -> bool:
        return self.about and self.alone and self.telling == MUCH


@dataclass(frozen=True, slots=True)
class ChineseLessons:
    """Sentences in which the resolver finds the person, with their signs."""

    read: tuple[ReadChineseSentence, ...]
    marked: tuple[str, ...]
    signs: Floats
    people: tuple[str, ...]

    def __add__(self, other: ChineseLessons) -> ChineseLessons:
        signs = np.concatenate((self.signs, other.signs))
        return ChineseLessons(
            self.read + other.read, self.marked + other.marked, signs, self.people + other.people
        )


_READ: TypeAdapter[tuple[ReadChineseSentence, ...]] = TypeAdapter(tuple[ReadChineseSentence, ...])


def readings(novel: str) -> tuple[ReadChineseSentence, ...]:
    return _READ.validate_json((READINGS / f"{novel}.json").read_text("utf-8"))


def lessons(novel: str, index: BookIndex, annotations: Annotations) -> ChineseLessons:
    by_name = {character.name: character.id for character in annotations.characters}
    of_person: dict[str, list[ReadChineseSentence]] = defaultdict(list)
    for each in readings(novel):
        if each.person in by_name:
            of_person[each.person].append(each)
    starts = index.sentences[:, 0].tolist()
    written = marked_of(index, annotations, upto=None)
    found: list[ReadChineseSentence] = []
    marked: list[str] = []
    rows: list[Floats] = []
    for person, read in of_person.items():
        candidates = candidates_of(index, annotations, by_name[person], upto=None)
        at = {
            sentence: n for n, sentence in enumerate(candidates.sentences.tolist()) if candidates.present[n]
        }
        for each in read:
            sentence = bisect_left(starts, index.book.text.index(each.sentence))
            if sentence in at:
                found.append(each)
                marked += written.of(by_name[person], [sentence])
                rows.append(candidates.signs[at[sentence]])
    people = tuple(f"{novel} {each.person}" for each in found)
    return ChineseLessons(tuple(found), tuple(marked), np.array(rows, np.float32), people)


def train(told: ChineseLessons) -> ChineseHead:
    """Fit a regression for each score of `retrieval.telling.head.OUTPUTS`."""
    grams = [set(grams_of(each)) for each in told.marked]
    counts = Counter(gram for some in grams for gram in some)
    known = {gram: n for n, gram in enumerate(sorted(g for g, count in counts.items() if count >= _SEEN))}
    has = np.zeros((len(grams), len(known)))
    for row, some in enumerate(grams):
        has[row, [known[gram] for gram in some if gram in known]] = 1
    mean, deviation = told.signs.mean(0), told.signs.std(0) + _LEAST
    columns = np.concatenate(((told.signs - mean) / deviation, has), axis=1)
    weights = np.stack([_fitted(columns, some) for some in _wanted(told.read)], axis=1).astype(np.float32)
    weights[-1, -1] += _ALONE
    count = told.signs.shape[1]
    return ChineseHead(
        mean.astype(np.float32),
        deviation.astype(np.float32),
        signs=weights[:count],
        grams=weights[count:-1],
        bias=weights[-1],
        known=known,
    )


def _fitted(columns: Features, truths: Sequence[Sequence[bool]]) -> Matrix:
    fits = [fit(columns, np.array(true), ridge=_RIDGE) for true in truths]
    return np.asarray(np.mean(fits, axis=0))


def _wanted(read: Sequence[ReadChineseSentence]) -> Iterator[Sequence[Sequence[bool]]]:
    """Yield what each score is learnt from, in their order: telling as the mean of much and something."""
    yield [[each.wanted for each in read]]
    for category in Category:
        yield [[each.about and _CATEGORIES[each.kind] is category for each in read]]
    yield [[each.about for each in read]]
    yield [[each.telling >= least for each in read] for least in (1, MUCH)]
    yield [[each.alone for each in read]]


def held_out(told: ChineseLessons, *, seed: int = 0) -> Iterator[tuple[ReadChineseSentence, Floats]]:
    """Yield every sentence with the scores of a head that has read nothing of its person."""
    everybody = sorted(set(told.people))
    chance = np.random.default_rng(seed).permutation(len(everybody)).tolist()
    fold = {person: chance[n] % _FOLDS for n, person in enumerate(everybody)}
    of = np.array([fold[person] for person in told.people])
    for number in range(_FOLDS):
        kept, left = np.flatnonzero(of != number), np.flatnonzero(of == number)
        head = train(_some(told, kept.tolist()))
        rest = _some(told, left.tolist())
        yield from zip(rest.read, head(rest.signs, rest.marked), strict=True)


def would_show(scores: Floats) -> bool:
    """Whether an offline text may quote a sentence with these scores."""
    about, telling, alone = map(float, 1 / (1 + np.exp(-scores[-len(JUDGED) :])))
    return about >= CERTAIN and about * telling * alone >= WORTH and alone >= ALONE


def _some(told: ChineseLessons, rows: Sequence[int]) -> ChineseLessons:
    return ChineseLessons(
        tuple(told.read[row] for row in rows),
        tuple(told.marked[row] for row in rows),
        told.signs[list(rows)],
        tuple(told.people[row] for row in rows),
    )
