"""True facts and altered versions of them: the judge must see the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from books.types import Book
from coref.types import Annotations
from generation.checking import claims, evidence
from generation.checking.judges.offline_judge import OfflineJudge
from generation.checking.types import Case
from generation.contexts import make_context
from generation.types import Claim, Context, Draft, Label, Sentence, Verdict
from tests.generation.novel import Found, case, passages, story

TRUE = [
    "Mr. Nuttall is the senior clerk.",
    "Mr. Nuttall is exact.",
    "Bess Farrow came by the morning train.",
    "Bess Farrow is the sister of Tom Farrow.",
    "Tom Farrow is the brother of Bess Farrow.",
    "Tom Farrow stayed at home.",
    "Captain Crane disliked Bess Farrow.",
    "Bess Farrow corrected the tide table.",
    "Bess Farrow wrote to Mr. Nuttall.",
    "Captain Crane refused to sign.",
    "Tom Farrow married Lydia Sand.",
    "Lydia Sand loved Tom Farrow.",
    "Captain Crane lost the ship.",
    "Bess Farrow saved Captain Crane from the water.",
    "Tom Farrow did not forgive Captain Crane.",
    "Mr. Nuttall resigned.",
    "Bess Farrow became the senior clerk.",
]
SWAPPED = [
    "Captain Crane is the senior clerk.",
    "Tom Farrow is exact.",
    "Lydia Sand came by the morning train.",
    "Bess Farrow is the sister of Captain Crane.",
    "Bess Farrow stayed at home.",
    "Bess Farrow disliked Captain Crane.",
    "Captain Crane corrected the tide table.",
    "Mr. Nuttall wrote to Bess Farrow.",
    "Bess Farrow refused to sign.",
    "Tom Farrow married Bess Farrow.",
    "Bess Farrow lost the ship.",
    "Captain Crane saved Bess Farrow from the water.",
    "Captain Crane did not forgive Tom Farrow.",
    "Bess Farrow resigned.",
    "Tom Farrow became the senior clerk.",
]
NEGATED = [
    "Bess Farrow did not save Captain Crane from the water.",
    "Tom Farrow did not marry Lydia Sand.",
    "Tom Farrow forgave Captain Crane.",
    "Mr. Nuttall did not resign.",
    "Captain Crane did not lose the ship.",
    "Captain Crane accepted to sign.",
    "Lydia Sand hated Tom Farrow.",
    "Captain Crane found the ship.",
]
INVENTED = [
    "Bess Farrow is a spy.",
    "Tom Farrow is the father of Bess Farrow.",
    "Bess Farrow is the mother of Tom Farrow.",
    "Captain Crane poisoned the Vicar.",
    "Lydia Sand inherited a castle.",
    "Zebulon Quirk saved Captain Crane from the water.",
    "Bess Farrow saved Captain Crane from the water in chapter 1.",
    "Bess Farrow first appears in chapter 3.",
]


@pytest.fixture(scope="module")
def context(harbour: tuple[Book, Annotations]) -> Context:
    book, annotations = harbour
    return make_context(book, annotations=annotations, people=["bess"])


def judged(texts: Sequence[str], context: Context, judge: OfflineJudge | None = None) -> list[Verdict]:
    draft = Draft(tuple(Sentence(t, ()) for t in texts), "hand")
    made = claims.extract(draft, context)
    assert len(made) == len(texts)
    found = Found(passages(context.book))
    cases = [evidence.gather(c, context=context, retriever=found) for c in made]
    return (judge or OfflineJudge()).judge(cases)


def supported(texts: Sequence[str], context: Context) -> list[str]:
    return [t for t, v in zip(texts, judged(texts, context), strict=True) if v.label is Label.SUPPORTED]


def test_most_true_facts_are_supported_and_few_called_contradicted(context: Context) -> None:
    labels = [v.label for v in judged(TRUE, context)]
    assert labels.count(Label.SUPPORTED) >= 0.85 * len(TRUE)
    assert labels.count(Label.CONTRADICTED) <= 0.1 * len(TRUE)


@pytest.mark.parametrize("false", [SWAPPED, NEGATED, INVENTED], ids=["swapped", "negated", "invented"])
def test_hardly_any_false_fact_is_supported(false: list[str], context: Context) -> None:
    assert len(supported(false, context)) <= 0.1 * len(false)


def test_what_is_called_supported_is_mostly_true(context: Context) -> None:
    right, wrong = len(supported(TRUE, context)), len(supported(SWAPPED + NEGATED + INVENTED, context))
    assert right / (right + wrong) >= 0.85


@pytest.mark.parametrize(
    "text",
    [
        "Captain Crane saved Bess Farrow from the water.",
        "Tom Farrow did not marry Lydia Sand.",
        "Lydia Sand hated Tom Farrow.",
        "Tom Farrow is the father of Bess Farrow.",
        "Bess Farrow first appears in chapter 3.",
        "Bess Farrow saved Captain Crane from the water in chapter 1.",
    ],
)
def test_the_opposite_of_the_book_is_contradicted(text: str, context: Context) -> None:
    assert judged([text], context)[0].label is Label.CONTRADICTED


def test_evidence_is_the_sentence_and_nothing_more(context: Context) -> None:
    verdict = judged(["Tom Farrow married Lydia Sand."], context)[0]
    assert [context.book.slice(c.span) for c in verdict.evidence] == [
        "Tom Farrow married Lydia Sand in the spring.".replace("Tom Farrow", "Tom")
    ]
    assert [c.chapter for c in verdict.evidence] == [1]


def test_without_evidence_nothing_is_supported(context: Context) -> None:
    made = claims.extract(Draft(tuple(Sentence(t, ()) for t in TRUE), "hand"), context)
    verdicts = OfflineJudge().judge([Case(c) for c in made])
    assert {v.label for v in verdicts} == {Label.UNSUPPORTED}
    assert all(v.evidence == () for v in verdicts)


def test_numbers_must_agree() -> None:
    book, annotations = story("# One\n\n[Tom Pratt|tom] was a lad of nineteen.\n", tom="Tom Pratt/he")
    asked = make_context(book, annotations=annotations, people=["tom"])
    same, other = judged(["Tom Pratt is a lad of nineteen.", "Tom Pratt is a lad of ninety."], asked)
    assert same.label is Label.SUPPORTED
    assert other.label is not Label.SUPPORTED


def test_passages_of_unknown_people_are_read_by_name(context: Context) -> None:
    made = claims.extract(Draft((Sentence("Tom married Lydia.", ()),), "hand"), context)
    plain = [p for p in passages(context.book) if "married" in p.text]
    assert OfflineJudge().judge([case(c, plain) for c in made])[0].label is Label.SUPPORTED


def test_claims_about_nobody_are_never_supported() -> None:
    claim = Claim("The tide table was corrected.", *_rest())
    book, _ = story("# One\n\nThe tide table was corrected.\n")
    assert OfflineJudge().judge([case(claim, passages(book))])[0].label is not Label.SUPPORTED


def _rest() -> tuple[Any, ...]:
    from books.types import Span
    from generation.types import Category

    return Category.EVENT, 0, Span(0, 5), None
