"""What finds answers learns from questions with their sentences."""

from __future__ import annotations

import numpy as np
import pytest

from coref.native.minilm import encoder_folder
from retrieval.asking.places import PlaceRanker
from retrieval.asking.question_vectors import QuestionEncoder
from retrieval.asking.training import (
    AskingCourse,
    BookQuestions,
    FoundPlaces,
    train_questions,
    train_ranker,
)
from retrieval.registry import make_embedder

SENTENCES = [
    "Ann went to the mill on Monday.",
    "Tom sold the grey horse to the miller.",
    "It rained, and nobody came.",
    "Captain Crane lost his ship on the sand.",
]
QUESTIONS = ["When was she at the mill?", "Who bought it?", "What was the weather?", "How did it go down?"]


@pytest.mark.long
def test_questions_come_to_lie_near_their_sentences() -> None:
    vectors = make_embedder("minilm").embed(SENTENCES)
    asked = tuple((question, np.array([n])) for n, question in enumerate(QUESTIONS))
    told: list[str] = []
    course = AskingCourse(epochs=12, rank=4, batch=4, warm=2)
    weights = train_questions([BookQuestions(vectors, asked)], encoder_folder(), course, tell=told.append)
    assert len(told) == course.epochs
    encoder = QuestionEncoder(encoder_folder(), weights)
    for n, question in enumerate(QUESTIONS):
        assert int(np.argmax(vectors @ encoder(question))) == n
        assert np.linalg.norm(encoder(question)) == pytest.approx(1, abs=1e-4)


def test_the_ranker_learns_what_tells_the_right_place_and_when_there_is_none() -> None:
    chance = np.random.default_rng(0)

    def places(known: bool) -> FoundPlaces:
        signs = chance.normal(size=(10, 3)).astype(np.float32)
        right = np.zeros(10, bool)
        if known:
            right[int(chance.integers(10))] = True
            signs[right, 1] += 4
        return FoundPlaces(signs, right)

    course = AskingCourse(epochs=20, rate=2e-2, batch=8, warm=2)
    ranker = PlaceRanker(train_ranker([places(n % 4 > 0) for n in range(200)], course))
    unseen = [places(n % 4 > 0) for n in range(100)]
    answered = [p for p in unseen if p.right.any()]
    assert np.mean([p.right[np.argmax(ranker(p.signs)[:, 0])] for p in answered]) > 0.85
    odds = [ranker(p.signs)[:, 1].max() for p in unseen]
    told = [p.right.any() for p in unseen]
    assert np.mean([o for o, t in zip(odds, told, strict=True) if t]) > 1 + np.mean(
        [o for o, t in zip(odds, told, strict=True) if not t]
    )
