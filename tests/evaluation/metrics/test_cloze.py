"""Names that a text leaves out, told from its summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from books.types import Span
from evaluation.metrics.cloze import MASK, ClozeScorer, NamedSentence, answered, questions_of
from evaluation.metrics.errors import MetricUnavailable

SOURCE = (
    "Elizabeth Bennet walked to Meryton through the rain with her sister. It rained. The old lamp stood in "
    "the window of the mill all night. Mr. Darcy wrote a long letter about the captain."
)


def sentence(text: str, *names: str) -> NamedSentence:
    return NamedSentence(text, tuple(Span(text.index(n), text.index(n) + len(n)) for n in names))


def test_a_question_is_a_sentence_without_its_first_name() -> None:
    made = questions_of(
        [
            sentence("Elizabeth walked to Meryton through the rain.", "Elizabeth", "Meryton"),
            sentence("The lamp stood in the window all night."),
            sentence("Jane wept.", "Jane"),
        ]
    )
    assert [(each.text, each.answer) for each in made] == [
        (f"{MASK} walked to Meryton through the rain.", "Elizabeth")
    ]
    many = [sentence(f"Ann counted the goats of field {n} before breakfast.", "Ann") for n in range(100)]
    spread = [each.text for each in questions_of(many)]
    assert len(spread) == 40
    assert "field 0 " in spread[0]
    assert "field 97 " in spread[-1]


def test_the_nearest_name_answers() -> None:
    summary = [
        sentence("Jane stayed at home with a cold.", "Jane"),
        sentence("Through the rain Elizabeth walked to Meryton.", "Elizabeth", "Meryton"),
    ]
    assert answered(f"{MASK} walked to Meryton through the rain.", summary) == "Elizabeth"
    assert answered(f"Her cold kept {MASK} at home.", summary) == "Jane"
    assert answered(f"{MASK} walked.", [sentence("Nobody came.")]) == ""


def test_a_summary_that_tells_more_names_scores_more() -> None:
    full = "Elizabeth Bennet walked to Meryton. Mr. Darcy wrote a letter."
    wrong = "Mr. Darcy walked through the rain with his sister. Elizabeth Bennet wrote about the captain."
    none = "She walked. He wrote."
    scorer = ClozeScorer()
    told = scorer.score([(SOURCE, full), (SOURCE, wrong), (SOURCE, none)])
    assert told[0] == pytest.approx(1.0)
    assert told[1] is not None
    assert told[1] < 0.3
    assert told[2] == 0.0
    assert scorer.score([("It rained. The lamp burned all night in the window.", full)]) == [None]


def test_a_reader_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MetricUnavailable):
        ClozeScorer(tmp_path / "none").score([(SOURCE, SOURCE)])
