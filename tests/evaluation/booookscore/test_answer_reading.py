"""Answers as models write them."""

from __future__ import annotations

import pytest

from evaluation.booookscore.answer_reading import SentenceJudgement, read_many, read_one
from evaluation.booookscore.types import ConfusionKind

ENTITY, EVENT, CAUSE = (
    ConfusionKind.ENTITY_OMISSION,
    ConfusionKind.EVENT_OMISSION,
    ConfusionKind.CAUSAL_OMISSION,
)
CLEAR = SentenceJudgement()


@pytest.mark.parametrize(
    "text",
    [
        "No confusion",
        "no confusion.",
        "**No confusion**",
        "Questions: no confusion\nTypes: no confusion",
        "Questions: None\nTypes: none",
        "Questions:\nTypes: no confusion",
        "<think>Types: language? No.</think>No confusion",
        "There is no confusion in this sentence.",
        "The sentence is not confusing.",
        '{"questions": "no confusion", "types": []}',
        "```\nNo confusion\n```",
    ],
)
def test_a_clear_sentence(text: str) -> None:
    assert read_one(text) == CLEAR


@pytest.mark.parametrize(
    ("text", "questions", "kinds"),
    [
        (
            "Questions: Who is Voss? Why?\nTypes: entity omission, causal omission",
            "Who is Voss? Why?",
            (ENTITY, CAUSE),
        ),
        ("**Questions:** Who is Voss?\n**Types:** Entity Omission", "Who is Voss?", (ENTITY,)),
        ("question: Who?\nType: entity_omission", "Who?", (ENTITY,)),
        ("Types: event omission\nQuestions: What happened?", "What happened?", (EVENT,)),
        (
            "Questions:\n- Who is Voss?\n- What is the sale?\nTypes:\n- entity omission\n- event omission",
            "- Who is Voss? - What is the sale?",
            (ENTITY, EVENT),
        ),
        ('{"questions": "Who?", "types": ["omission of an entity"]}', "Who?", (ENTITY,)),
        (
            "Questions: Is there no confusion? Types: salience",
            "Is there no confusion?",
            (ConfusionKind.SALIENCE,),
        ),
        ("Questions: Who is she?", "Who is she?", ()),
        ("Types: inconsistency", "", (ConfusionKind.INCONSISTENCY,)),
        ("Questions: Who is she?\nTypes: boredom", "Who is she?", ()),
    ],
)
def test_a_confusing_sentence(text: str, questions: str, kinds: tuple[ConfusionKind, ...]) -> None:
    assert read_one(text) == SentenceJudgement(questions, kinds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The evidence is insufficient.",
        "Questions: Who?\nTypes: no confusion",
        "Questions:",
        "Who says no confusion?",
    ],
)
def test_what_is_no_answer(text: str) -> None:
    assert read_one(text) is None


def test_numbered_answers() -> None:
    text = "1. No confusion\n2. Questions: Who is Voss? Types: entity omission\n3) no confusion"
    assert read_many(text, 3) == [CLEAR, SentenceJudgement("Who is Voss?", (ENTITY,)), CLEAR]


def test_numbered_answers_over_several_lines_and_in_other_marks() -> None:
    text = (
        "**Sentence 1:** No confusion\n\n[2]\nQuestions: When did it\nhappen in 1920?\nTypes: event omission"
    )
    assert read_many(text, 2) == [CLEAR, SentenceJudgement("When did it happen in 1920?", (EVENT,))]


def test_what_is_missing_or_there_twice_is_not_guessed() -> None:
    twice = "1. No confusion\n1. Types: language\n3. Hm."
    assert read_many(twice, 4) == [None, None, None, None]
    assert read_many("No confusion", 2) == [None, None]
