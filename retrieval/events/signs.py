"""The signs of a sentence as a piece of the story: who is in it, where it stands, what it is near.

They are the columns of `retrieval.telling`, of everybody at once, with the sentence's place in its chapter,
how near it is to the rest of the chapter, and what the telling head says of it for the main characters.
A chapter that is very long is taken for several: its stretches.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from books.types import count_words
from coref.types import Annotations, TraitKind
from retrieval.index import BookIndex
from retrieval.telling import head
from retrieval.telling.columns import OBJECT, OWNER, SUBJECT
from retrieval.telling.sentence_table import Floats, Ints
from retrieval.telling.sentences import scored, signs_of
from retrieval.telling.signs import SentenceSigns

_MAIN: Final = 12
"""Number of the most mentioned characters of whom the telling head is asked."""
_NOTHING: Final = -8.0
"""Score of a sentence that is near none of them."""
_NEW: Final = 3
"""Number of people named first from which more make no difference."""
_NEAR_AN_END: Final = 10.0
"""Sentences over which the nearness to the beginning or the end of a chapter fades."""
_STRETCH: Final = 4_000
"""Words of a stretch of a very long chapter. Its last has up to twice as many."""
_VERY_LONG: Final = 3 * _STRETCH
"""Words from which a chapter is cut into stretches."""


def event_signs(index: BookIndex, annotations: Annotations, upto: int | None) -> Floats:
    """Return a row of signs for each sentence that the reader has reached."""
    signs = signs_of(index, annotations, upto)
    count = len(signs.table)
    if not count:
        return np.zeros((0, 0), np.float32)
    chapter = stretches(index, count)
    columns = {
        **_people(signs, chapter),
        **_traits(signs),
        **signs.common,
        **_place(chapter),
        **_nearness(vectors_of(index, count), chapter),
        **_telling(index, annotations, upto, count),
    }
    return np.stack([np.asarray(column, np.float32) for column in columns.values()], axis=1)


def vectors_of(index: BookIndex, count: int) -> Floats:
    """Return the vectors of the first sentences."""
    return np.asarray(index.sentence_vectors[:count], np.float32)


def stretches(index: BookIndex, count: int) -> Ints:
    """Return for each of the first sentences its stretch: the chapter, or a part of one that is very long.

    A stretch ends with a passage, and so at the end of a paragraph that is not over-long itself.
    """
    passage = np.asarray(index.sentences[:count, 2])
    seen = int(passage[-1]) + 1 if count else 0
    chapter = np.asarray(index.chapters[:seen])
    words = np.cumsum([0, *(count_words(piece.text) for piece in index.passages[:seen])])
    first, end = chapter_bounds(chapter)
    length = words[end] - words[first]
    whole = np.where(length < _VERY_LONG, 1, length // _STRETCH)
    part = np.minimum((words[:-1] - words[first]) // _STRETCH, whole - 1)
    _, found = np.unique(chapter * (seen + 1) + part, return_inverse=True)
    numbers: Ints = found[passage]
    return numbers


def chapter_bounds(chapter: Ints) -> tuple[Ints, Ints]:
    """Return for each sentence the first sentence of its chapter, and the one after its last."""
    return np.searchsorted(chapter, chapter), np.searchsorted(chapter, chapter, side="right")


def _people(signs: SentenceSigns, chapter: Ints) -> dict[str, Any]:
    m, count = signs.mentions, signs.table.count
    known = m.who >= 0
    new_in_book, new_in_chapter = _named_first(signs, chapter)
    return {
        **{
            name: np.log1p(count(m.sentence[known & (m.kind == kind)]))
            for kind, name in enumerate(("names", "nouns", "pronouns"))
        },
        "people": _distinct(signs),
        "main characters": np.log1p(count(m.sentence[known & m.main])),
        "certainty": signs.surest(known),
        "least certainty": 1 - signs.surest(known, 1 - m.confidence),
        "unknown people": np.log1p(count(m.sentence[(m.who < 0) & (m.kind != 1)])),
        "certainty of the speaker": signs.quotes.certainty,
        "certainty of a named speaker": signs.quotes.named,
        "named first in the book": np.minimum(new_in_book, _NEW),
        "named first in the chapter": np.minimum(new_in_chapter, _NEW),
        "first person": count(m.sentence[m.first_person]) > 0,
        **{
            name: count(m.sentence[known & (m.role == role)]) > 0
            for name, role in (("subject", SUBJECT), ("object", OBJECT), ("owner", OWNER))
        },
    }


def _distinct(signs: SentenceSigns) -> Floats:
    """Return how many people each sentence mentions."""
    m = signs.mentions
    inside = (m.who >= 0) & (m.sentence >= 0)
    pairs = np.unique(np.stack((m.sentence[inside], m.who[inside]), axis=1), axis=0)
    return signs.table.count(pairs[:, 0])


def _named_first(signs: SentenceSigns, chapter: Ints) -> tuple[Floats, Floats]:
    """Return how many people each sentence is the first to name, in the book and in its chapter."""
    m = signs.mentions
    named = (m.kind == 0) & (m.who >= 0) & (m.sentence >= 0)
    sentence, who = m.sentence[named], m.who[named]
    _, in_book = np.unique(who, return_index=True)
    pairs = np.stack((chapter[sentence], who), axis=1)
    _, in_chapter = np.unique(pairs, axis=0, return_index=True)
    return signs.table.count(sentence[in_book]), signs.table.count(sentence[in_chapter])


def _traits(signs: SentenceSigns) -> dict[str, Any]:
    t = signs.traits
    return {
        **{f"trait: {kind.value}": np.log1p(t.count(t.kind == n)) for n, kind in enumerate(TraitKind)},
        "denied": t.count(t.denied) > 0,
        "not a fact": t.count(t.modal) > 0,
        "trait with another": t.count(t.other >= 0) > 0,
    }


def _place(chapter: Ints) -> dict[str, Any]:
    index = np.arange(len(chapter))
    first, end = chapter_bounds(chapter)
    return {
        "place in the chapter": (index - first) / np.maximum(1, end - first - 1),
        "near the end": np.exp((index + 1 - end) / _NEAR_AN_END),
        "near the beginning": np.exp((first - index) / _NEAR_AN_END),
        "length of the chapter": np.log1p(end - first),
    }


def _nearness(vectors: Floats, chapter: Ints) -> dict[str, NDArray[np.floating[Any]]]:
    """Return how near each sentence is to its chapter as a whole, to the book, and to the one before."""
    first, end = chapter_bounds(chapter)
    summed = np.concatenate((np.zeros((1, vectors.shape[1]), np.float32), np.cumsum(vectors, axis=0)))
    before = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
    return {
        "near the chapter": np.einsum("ij,ij->i", vectors, _unit(summed[end] - summed[first])),
        "near the book": vectors @ _unit(summed[-1:])[0],
        "near the sentence before": np.concatenate((np.zeros(1, np.float32), before)),
    }


def _unit(rows: Floats) -> Floats:
    found: Floats = rows / np.maximum(1e-6, np.linalg.norm(rows, axis=1, keepdims=True))
    return found


def _telling(index: BookIndex, annotations: Annotations, upto: int | None, count: int) -> dict[str, Any]:
    """Return the highest scores of each sentence as one about a main character."""
    best = np.full((count, len(head.OUTPUTS)), _NOTHING, np.float32)
    for character in annotations.characters[:_MAIN]:
        candidates, scores = scored(index, annotations, character.id, upto=upto)
        np.maximum.at(best, candidates.sentences[candidates.present], scores[candidates.present])
    return {f"telling: {name}": best[:, n] for n, name in enumerate(head.OUTPUTS)} | {
        "about nobody": best[:, 0] <= _NOTHING
    }
