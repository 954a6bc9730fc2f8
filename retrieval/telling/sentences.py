"""The sentences of an opened book that say most about a character."""

from __future__ import annotations

import numpy as np

from books.types import Span
from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.telling import head
from retrieval.telling.signs import Candidates, Floats, SentenceSigns
from retrieval.types import Category, TellingSentence


def telling_sentences(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None = None
) -> tuple[TellingSentence, ...]:
    """Return the sentences that mention the character or are spoken by them, in story order, with scores."""
    with index.reading():
        candidates, scores = scored(index, annotations, character, upto=upto)
        lines = index.sentences
        found = []
        for n in np.flatnonzero(candidates.present).tolist():
            start, end, passage = lines[candidates.sentences[n]].tolist()
            row = scores[n].tolist()
            found.append(
                TellingSentence(
                    span=Span(start, end),
                    chapter=index.passages[passage].chapter,
                    character=character,
                    score=row[0],
                    by_category=dict(zip(Category, row[1:], strict=True)),
                    certainty=float(candidates.certainty[n]),
                )
            )
        return tuple(found)


def scored(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None
) -> tuple[Candidates, Floats]:
    """Return the sentences near a character, with the head's scores for each."""
    candidates = candidates_of(index, annotations, character, upto=upto)
    vectors = None
    if index.embedder.startswith(head.EMBEDDER):
        vectors = index.sentence_vectors[candidates.sentences].astype(np.float32)
    return candidates, head.shipped()(candidates.signs, vectors)


def candidates_of(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None
) -> Candidates:
    """Return the sentences near a character with their signs."""
    return index.kept(annotations, upto, _signs).of(character)


def _signs(index: BookIndex, annotations: Annotations, upto: int | None) -> SentenceSigns:
    lines = index.sentences
    visible = np.searchsorted(lines[:, 2], index.visible(upto))
    return SentenceSigns(index.book.text, annotations, lines[:visible], index.chapters)
