"""The corpus as examples for the head that scores sentences: which sentences the key facts quote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coref.types import Annotations
from evaluation.corpus.quotations import find, path_of
from evaluation.corpus.readings import ReadSentence, readings
from evaluation.corpus.types import CorpusNovel, CorpusPerson
from evaluation.keyfacts.people import character_of
from evaluation.portraits.types import OpenedBook
from evaluation.portraits.workroom import Workroom
from retrieval.index import BookIndex
from retrieval.sentences import touched
from retrieval.telling.head import JUDGED
from retrieval.telling.sentence_table import Floats, Ints
from retrieval.telling.sentences import candidates_of
from retrieval.telling.signs import Candidates
from retrieval.types import Category

_ABOUT: Final = {True: 1.0, None: 0.3, False: 0.0}
_TELLING: Final = (0.0, 0.35, 1.0)
"""What readers said as probabilities."""
_CATEGORIES: Final = {c.value.replace("_", " "): n for n, c in enumerate(Category)}


@dataclass(frozen=True, slots=True)
class KeyQuotation:
    """A quotation of a key fact: the half-open range of sentences that it touches."""

    first: int
    end: int
    fact: int
    """Position of the fact among the person's."""
    category: int


@dataclass(frozen=True, slots=True)
class TellingExample:
    """One person: the sentences near them, and those that the key facts quote."""

    person: CorpusPerson
    character: str
    candidates: Candidates
    vectors: Floats
    passages: Ints
    """The passage of each candidate."""
    labels: NDArray[np.bool_]
    """For each candidate and category, whether a key fact quotes it."""
    judged: Floats
    """For each candidate what a reader said of it, in the order of `JUDGED`; NaN if none has read it."""
    quotations: tuple[KeyQuotation, ...]


@dataclass(frozen=True, slots=True)
class NovelExamples:
    novel: CorpusNovel
    people: tuple[TellingExample, ...]
    passage_of: Ints
    """The passage of each sentence of the book."""
    lost: tuple[tuple[CorpusPerson, int], ...]
    """People of the corpus who are no character of the annotations, with their quotations."""


def examples(novel: CorpusNovel, folder: Path, room: Workroom) -> NovelExamples:
    """Return the examples of one novel, which is annotated and indexed in the work folder."""
    with room.open(path_of(novel, folder)) as opened:
        return examples_of(novel, opened)


def examples_of(novel: CorpusNovel, opened: OpenedBook) -> NovelExamples:
    """Return the examples of a novel that is open."""
    index, annotations = opened.index(), opened.annotations
    found: list[TellingExample] = []
    lost: list[tuple[CorpusPerson, int]] = []
    for person in novel.people:
        character = character_of(person, annotations)
        if character is None:
            lost.append((person, sum(len(fact.quotes) for fact in person.true)))
        else:
            read = [s for s in readings(novel.novel).sentences if s.person == person.name]
            found.append(_example(person, character.id, index, annotations, read))
    return NovelExamples(novel, tuple(found), np.array(index.sentences[:, 2]), tuple(lost))


def _example(
    person: CorpusPerson,
    character: str,
    index: BookIndex,
    annotations: Annotations,
    read: Sequence[ReadSentence],
) -> TellingExample:
    candidates = candidates_of(index, annotations, character, upto=None)
    quotations = tuple(_quotations(person, index))
    labels = np.zeros((len(index.sentences), len(Category)), np.bool_)
    for quotation in quotations:
        labels[quotation.first : quotation.end, quotation.category] = True
    chosen = candidates.sentences
    return TellingExample(
        person=person,
        character=character,
        candidates=candidates,
        vectors=index.sentence_vectors[chosen].astype(np.float32),
        passages=np.array(index.sentences[chosen, 2]),
        labels=labels[chosen],
        judged=_judged(read, index)[chosen],
        quotations=quotations,
    )


def _judged(read: Sequence[ReadSentence], index: BookIndex) -> Floats:
    """Return what a reader said of each sentence of the book."""
    found = np.full((len(index.sentences), len(JUDGED)), np.nan, np.float32)
    starts = index.sentences[:, 0]
    for sentence in read:
        at = int(np.searchsorted(starts, sentence.start, side="right")) - 1
        found[at] = (_ABOUT[sentence.about], _TELLING[sentence.telling], sentence.alone)
    return found


def _quotations(person: CorpusPerson, index: BookIndex) -> Iterator[KeyQuotation]:
    starts, ends = index.sentences[:, 0], index.sentences[:, 1]
    for number, fact in enumerate(person.true):
        for quote in fact.quotes:
            span = find(quote, index.book.text)
            if span is not None:
                inside = touched(span, starts, ends)
                end = max(inside.start + 1, inside.stop)
                yield KeyQuotation(inside.start, end, number, _CATEGORIES[fact.category])
