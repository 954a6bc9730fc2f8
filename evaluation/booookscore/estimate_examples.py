"""The released summaries' sentences, with what GPT-4 and people found confusing: to train on and to test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.booookscore.estimate import Rows, rows_of
from evaluation.booookscore.touched_sentences import OF_A_SENTENCE, touched
from evaluation.booookscore.types import AnnotatedSummary, AnnotatedSystem, ConfusionKind
from retrieval.protocols import Embedder
from retrieval.sentences import split

FOLDS = 5
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SentenceExamples:
    """A row for each sentence of the annotated summaries."""

    rows: Rows
    confusing: Truths
    kinds: Truths
    """A column for each kind."""
    people: Truths
    """Whether people marked words of it; false where `by_people` is."""
    by_people: Truths
    """Whether people annotated its summary."""
    systems: NDArray[np.str_]
    summaries: NDArray[np.int64]
    """A number for each summary."""
    folds: NDArray[np.int64]
    """Of the book: all summaries of a book are in one fold."""


def examples(
    systems: Iterable[AnnotatedSystem], people: Iterable[AnnotatedSystem], embedder: Embedder
) -> SentenceExamples:
    """Make the examples of all systems; embeds the sentences of a system together."""
    marked = {(each.name, one.book): one for each in people for one in each.summaries}
    parts: list[SentenceExamples] = []
    for system in systems:
        summaries = [each for each in system.summaries if each.confusions is not None]
        for summary, vectors in _embedded(summaries, embedder):
            other = marked.get((system.name, summary.book))
            parts.append(_of_summary(summary, other, vectors, system.name, len(parts)))
    if not parts:
        raise ValueError("no summary is annotated")
    names = SentenceExamples.__dataclass_fields__
    return SentenceExamples(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def fold_of(book: str) -> int:
    return int(hashlib.sha256(book.encode()).hexdigest(), 16) % FOLDS


def _embedded(
    summaries: Sequence[AnnotatedSummary], embedder: Embedder
) -> Iterator[tuple[AnnotatedSummary, Rows]]:
    parts = [[span.of(each.text) for span in split(each.text)] for each in summaries]
    numbers = {text: at for at, text in enumerate(dict.fromkeys(s for part in parts for s in part))}
    vectors = np.asarray(embedder.embed(list(numbers)), np.float32)
    for summary, part in zip(summaries, parts, strict=True):
        yield summary, vectors[[numbers[text] for text in part]]


def _of_summary(
    summary: AnnotatedSummary, people: AnnotatedSummary | None, vectors: Rows, system: str, number: int
) -> SentenceExamples:
    count = len(vectors)
    confusing, marked = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    kinds = np.zeros((count, len(ConfusionKind)), np.bool_)
    for at, confusion in touched(summary.text, summary.confusions or (), share=OF_A_SENTENCE):
        confusing[at] = True
        for kind in confusion.kinds:
            kinds[at, list(ConfusionKind).index(kind)] = True
    if people is not None and people.text == summary.text:
        for at, _ in touched(people.text, people.confusions or ()):
            marked[at] = True
    return SentenceExamples(
        rows_of(summary.text, vectors),
        confusing,
        kinds,
        marked,
        np.full(count, people is not None and people.text == summary.text),
        np.full(count, system),
        np.full(count, number),
        np.full(count, fold_of(summary.book)),
    )
