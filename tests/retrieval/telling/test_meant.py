"""Whether a sentence is about somebody: what the regression learns, and what it decides."""

from __future__ import annotations

import numpy as np
import pytest

from coref import doubtful_people
from coref.types import Annotations
from evaluation.keyfacts.examples import TellingExample
from evaluation.keyfacts.meaning import agreement, fitted
from retrieval.index import BookIndex
from retrieval.telling import meant
from retrieval.telling.head import JUDGED
from retrieval.telling.meant import MeantHead, columns_of, shipped
from retrieval.telling.sentences import candidates_of, telling_sentences
from retrieval.telling.signs import Candidates
from tests.evaluation.test_keyfacts import HANNAH

SENTENCES, SIGNS = 400, 5


def person(seed: int) -> TellingExample:
    """The rule to learn: the first sign speaks for the person, the last one against. Half have been read."""
    chance = np.random.default_rng(seed)
    signs = chance.random((SENTENCES, SIGNS)).astype(np.float32)
    judged = np.full((SENTENCES, len(JUDGED)), np.nan, np.float32)
    judged[::2] = (signs[::2, :1] > signs[::2, -1:]) * 1.0
    there, none = np.ones(SENTENCES, np.bool_), np.zeros((SENTENCES, 1), np.bool_)
    candidates = Candidates(np.arange(SENTENCES), signs[:, :3], there, there.astype(np.float32), signs[:, 3:])
    vectors = np.zeros((SENTENCES, 1), np.float32)
    return TellingExample(HANNAH, "hannah", candidates, vectors, candidates.sentences, none, judged, ())


def test_it_learns_what_readers_said() -> None:
    head = MeantHead(fitted([person(0), person(1)]))
    read, area = agreement([person(2)], head)
    assert (read, head.size) == (SENTENCES // 2, SIGNS)
    assert area > 0.95
    unseen = person(3)
    right = (head(unseen.candidates) > 0)[::2] == (unseen.judged[::2, 0] == 1)
    assert right.mean() > 0.9


def test_the_shipped_regression_reads_the_signs_that_there_are(
    index: BookIndex, annotations: Annotations
) -> None:
    found = candidates_of(index, annotations, "ann", upto=None)
    assert columns_of(found).shape[1] == shipped().size
    said = shipped()(found)
    assert said.shape == (len(found.sentences),)
    assert np.isfinite(said).all()
    assert said[found.present].mean() > said[~found.present].mean(), "who is not there is not meant"


@pytest.mark.parametrize("certain", [9.0, -9.0])
def test_it_decides_how_certain_a_sentence_is(
    index: BookIndex, annotations: Annotations, monkeypatch: pytest.MonkeyPatch, certain: float
) -> None:
    def told(candidates: Candidates) -> object:
        return np.full(len(candidates.sentences), certain, np.float32)

    monkeypatch.setattr(meant, "shipped", lambda: told)
    index.forget()
    found = telling_sentences(index, annotations, "tom")
    index.forget()
    assert found
    assert all((sentence.certainty > 0.5) == (certain > 0) for sentence in found)


def test_a_mere_pronoun_is_never_certain_for_a_doubtful_person(
    index: BookIndex, annotations: Annotations, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(candidates: Candidates) -> object:
        return np.full(len(candidates.sentences), 9.0, np.float32)

    monkeypatch.setattr(meant, "shipped", lambda: told)
    monkeypatch.setattr(doubtful_people, "MANY", 0)
    monkeypatch.setattr(doubtful_people, "SELDOM", 99)
    index.forget()
    found = telling_sentences(index, annotations, "tom")
    index.forget()
    named = {sentence.span for sentence in found if "Tom" in index.book.slice(sentence.span)}
    assert 0 < len(named) < len(found)
    for sentence in found:
        assert (sentence.certainty > doubtful_people.MERE_PRONOUN) == (sentence.span in named)
