"""The trained head: its shape, what it does without vectors, and that training learns a rule."""

from __future__ import annotations

import numpy as np
import pytest

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.telling import head
from retrieval.telling.head import JUDGED, OUTPUTS, TellingHead, shipped
from retrieval.telling.sentences import candidates_of, scored, telling_sentences
from retrieval.telling.training import TellingCourse, TellingRows, train
from retrieval.types import Category

SIGNS, MEANING, PEOPLE, SENTENCES = 6, 8, 12, 60


def rows(seed: int) -> TellingRows:
    """The rules to learn: a sentence is quoted for its role if its second sign is set, and half of them were
    read: a reader likes those with a high third sign.
    """
    chance = np.random.default_rng(seed)
    signs = chance.random((SENTENCES, SIGNS)).astype(np.float32)
    signs[:, 1] = chance.random(SENTENCES) < 0.15
    vectors = chance.standard_normal((SENTENCES, MEANING)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = np.zeros((SENTENCES, len(Category)), np.bool_)
    labels[:, 0] = signs[:, 1] > 0
    judged = np.full((SENTENCES, len(JUDGED)), np.nan, np.float32)
    judged[::2] = signs[::2, 2:3] > 0.5
    return TellingRows(signs, vectors, labels, judged)


@pytest.fixture(scope="module")
def learned() -> TellingHead:
    people = [rows(seed) for seed in range(PEOPLE)]
    return TellingHead(train(people, TellingCourse(epochs=20, hidden=8, meaning=4)))


def test_training_learns_a_rule(learned: TellingHead) -> None:
    unseen = rows(PEOPLE)
    quoted = unseen.labels[:, 0]
    for vectors in (unseen.vectors, None):
        scores = learned(unseen.signs, vectors)
        assert scores.shape == (SENTENCES, len(OUTPUTS))
        for column in (0, 1):
            assert scores[quoted, column].min() > scores[~quoted, column].max()
        liked = unseen.signs[:, 2] > 0.5
        assert scores[liked, -1].mean() > scores[~liked, -1].mean() + 1


def test_the_same_course_gives_the_same_weights() -> None:
    people = [rows(0), rows(1)]
    one, other = (train(people, TellingCourse(epochs=1, hidden=4, meaning=4)) for _ in range(2))
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_the_shipped_head_reads_the_signs_that_there_are(index: BookIndex, annotations: Annotations) -> None:
    found = candidates_of(index, annotations, "ann", upto=None)
    assert found.signs.shape[1] == shipped().size
    scores = shipped()(found.signs, None)
    assert scores.shape == (len(found.sentences), len(OUTPUTS))
    assert np.isfinite(scores).all()


def test_vectors_of_another_embedder_are_not_read(
    index: BookIndex, annotations: Annotations, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not index.embedder.startswith(head.EMBEDDER)
    found = candidates_of(index, annotations, "ann", upto=None)
    given: list[object] = []

    def watched(signs: object, vectors: object) -> object:
        given.append(vectors)
        return np.zeros((len(found.sentences), len(OUTPUTS)))

    monkeypatch.setattr(head, "shipped", lambda: watched)
    scored(index, annotations, "ann", upto=None)
    assert given == [None]


def test_telling_sentences_are_sentences_about_them(index: BookIndex, annotations: Annotations) -> None:
    found = telling_sentences(index, annotations, "tom")
    text = index.book.text
    assert [s.span.of(text) for s in found] == [
        "Tom watched from the gate.",
        "Tom looked at the letter.",
        "He seemed afraid of it.",
    ]
    assert [s.chapter for s in found] == [0, 1, 1]
    assert all(set(s.by_category) == set(Category) for s in found)
    assert all(0 < p < 1 for s in found for p in (s.certainty, s.telling, s.alone))
    assert telling_sentences(index, annotations, "tom") == found, "and once more, without reading again"
    early = telling_sentences(index, annotations, "tom", upto=index.book.end_of_chapter(1))
    assert [s.span for s in early] == [found[0].span]
