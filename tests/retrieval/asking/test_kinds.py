"""The kind of a question is learnt, and told only where it is clear."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.asking import question_vectors
from retrieval.asking.kinds import KindHead, QuestionKind, kind_of
from retrieval.asking.training import AskingCourse, train_kinds


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why did the miller sell his horse?", QuestionKind.WHY),
        ("Where does the old sailor hide the map?", QuestionKind.WHERE),
        ("How often do Nancy and Godfrey meet?", QuestionKind.COUNT),
        ("How is Ruth related to Captain Crane?", QuestionKind.RELATION),
        ("When does Tom come back to the village?", QuestionKind.WHEN),
        ("What happens?", QuestionKind.STORY),
        ("Summarise it, please.", QuestionKind.STORY),
    ],
)
def test_clear_questions(question: str, kind: QuestionKind) -> None:
    assert kind_of(question) is kind


def test_what_is_no_question_has_no_kind() -> None:
    assert kind_of("The tide table of the year before last, corrected.") in (None, QuestionKind.WHAT)


def test_without_minilm_there_is_no_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_vectors, "shipped", lambda: None)
    assert kind_of("Why did the miller sell his horse?") is None


def test_kinds_are_learnt_from_vectors() -> None:
    chance = np.random.default_rng(0)
    every = list(QuestionKind)
    means = chance.normal(size=(len(every), 8)).astype(np.float32)
    rows = chance.integers(len(every), size=300)
    vectors = means[rows] + 0.1 * chance.normal(size=(300, 8)).astype(np.float32)
    course = AskingCourse(epochs=200, rate=0.05)
    head = KindHead(train_kinds(vectors, [every[row] for row in rows], course))
    for number, kind in enumerate(every):
        found = head.probabilities(means[number])
        assert max(found, key=lambda each: found[each]) is kind
        assert sum(found.values()) == pytest.approx(1)
