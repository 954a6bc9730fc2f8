"""The offline judge: how it turns what the head reads into labels, and how it looks quotations up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from books.types import Book, Exclusion, Part, Span
from coref.types import Annotations
from generation.checking import evidence
from generation.checking.entailment.entailment_head import HeadWeights, Reading
from generation.checking.entailment.reading_head import ReadingHead
from generation.checking.judges.offline_judge import OfflineJudge
from generation.checking.types import Case, Evidence
from generation.contexts import make_context
from generation.types import Category, Citation, Claim, Context, Label, NamedSpan, Verdict
from tests.generation.novel import Found, story

NOTHING = np.zeros(0, np.float32)
WEIGHTS = HeadWeights(
    4,
    *(NOTHING,) * 4,
    bias=0.0,
    supported=0.8,
    unsupported=0.3,
)


@dataclass
class Reader(ReadingHead):
    """A head that reads the same from everything."""

    supported: float
    weights: HeadWeights = WEIGHTS

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        return [Reading(self.supported, case.evidence[0]) for case in cases]


def claim(text: str = "Bess saved Tom.", **more: object) -> Claim:
    return replace(Claim(text, Category.EVENT, 0, Span(0, len(text)), "bess"), **more)  # type: ignore[arg-type]


def told(text: str = "Bess saved Tom.", *, certainty: float = 1.0) -> Evidence:
    return Evidence(Span(10, 10 + len(text)), 2, text, named=(), certainty=certainty)


def read(supported: float, *, certainty: float = 1.0) -> Verdict:
    case = Case(claim(), found=(told(certainty=certainty),))
    return OfflineJudge(Reader(supported)).judge([case]).verdicts[0]


@pytest.mark.parametrize(
    ("supported", "label"),
    [
        (0.85, Label.SUPPORTED),
        (0.5, Label.UNCERTAIN),
        (0.2, Label.UNSUPPORTED),
    ],
)
def test_labels_follow_the_thresholds(supported: float, label: Label) -> None:
    assert read(supported).label is label


def test_a_score_is_at_most_the_certainty_of_the_people() -> None:
    assert read(0.95).score == 0.95
    assert read(0.95, certainty=0.7).score == 0.7
    assert read(0.95, certainty=0.4).label is Label.UNCERTAIN


def test_a_verdict_shows_the_sentence_that_it_rests_on() -> None:
    assert read(0.9).evidence == (Citation(Span(10, 25), 2),)
    assert read(0.1).evidence == ()


@pytest.mark.parametrize("text", ["", "  ", "x" * 5_000])
def test_what_cannot_be_read_is_unsupported(text: str) -> None:
    case = Case(claim(text), found=(told(),))
    assert OfflineJudge(Reader(1.0)).judge([case]).verdicts[0].label is Label.UNSUPPORTED


def test_without_evidence_nothing_is_supported() -> None:
    assert OfflineJudge(Reader(1.0)).judge([Case(claim())]).verdicts[0].label is Label.UNSUPPORTED


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("贝丝救了汤姆。", "Bess saved Tom."),
        ("Bess saved Tom.", "贝丝救了汤姆。"),
        ("贝丝救了汤姆。", "贝丝救了他。"),
    ],
)
def test_what_is_said_in_chinese_or_of_a_chinese_book_is_not_judged(said: str, there: str) -> None:
    (verdict,) = OfflineJudge(Reader(1.0)).judge([Case(claim(said), found=(told(there),))]).verdicts
    assert (verdict.label, verdict.evidence) == (Label.UNCERTAIN, ())
    quoted = claim(there, quoted=True)
    assert OfflineJudge().judge([Case(quoted, cited=(told(there),))]).verdicts[0].label is Label.SUPPORTED


def test_a_claim_about_nobody_is_uncertain() -> None:
    case = Case(claim(subject=None), found=(told(),))
    assert OfflineJudge(Reader(1.0)).judge([case]).verdicts[0].label is Label.UNCERTAIN


@pytest.mark.parametrize(
    ("certainty", "label"), [(1.0, Label.SUPPORTED), (0.8, Label.SUPPORTED), (0.7, Label.UNCERTAIN)]
)
def test_a_quotation_is_as_sure_as_its_subject(certainty: float, label: Label) -> None:
    quoted = claim("saved  Tom", quoted=True)
    verdict = OfflineJudge().judge([Case(quoted, cited=(told(certainty=certainty),))]).verdicts[0]
    assert (verdict.label, verdict.score) == (label, certainty)
    assert verdict.evidence == (Citation(Span(10, 25), 2),)


def test_a_quotation_that_is_not_there_is_unsupported() -> None:
    quoted = claim("saved Captain Crane", quoted=True)
    assert OfflineJudge().judge([Case(quoted, cited=(told(),))]).verdicts[0].label is Label.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "category", "label"),
    [
        ("Bess is Tom’s half-sister.", Category.RELATIONSHIP, Label.UNCERTAIN),
        ("Bess is Tom’s delight.", Category.RELATIONSHIP, Label.UNSUPPORTED),
        ("Bess is Tom’s sister.", Category.EVENT, Label.UNSUPPORTED),
        ("Bess is a sister.", Category.RELATIONSHIP, Label.UNSUPPORTED),
    ],
)
def test_of_a_tie_it_does_not_say_that_nothing_supports_it(
    text: str, category: Category, label: Label
) -> None:
    people = tuple(
        NamedSpan(Span(at, at + len(name)), name.lower())
        for name in ("Bess", "Tom")
        if (at := text.find(name)) >= 0
    )
    said = replace(claim(text), category=category, people=people)
    verdict = OfflineJudge(Reader(0.2)).judge([Case(said, cited=(told(),))]).verdicts[0]
    assert verdict.label is label


@pytest.fixture(scope="module")
def context() -> Context:
    book, annotations = rescued()
    return make_context(book, annotations=annotations)


def rescued() -> tuple[Book, Annotations]:
    return story(
        "# One\n\n[Bess|bess] was the sister of [Tom|tom]. "
        "[She|bess] saved [him|tom] from the water.\n\n"
        "The tide table hung in the hall.\n\n# Two\n\n[Tom|tom] married in the spring.\n",
        bess="Bess Farrow/she",
        tom="Tom Farrow/he",
    )


def test_a_quotation_of_the_book_is_found_where_it_is_cited(context: Context) -> None:
    text = "She saved him from the water."
    at = context.book.text.index(text)
    quoted = claim(text, quoted=True, citations=(Citation(Span(at, at + len(text)), 0),))
    found = Found()
    case = evidence.gather(quoted, context=context, retriever=found)
    assert OfflineJudge().judge([case]).verdicts[0].label is Label.SUPPORTED
    assert found.asked == []
    number = Exclusion(Span(at + 3, at + 9), Part.APPARATUS, "page number")
    numbered = replace(context, book=replace(context.book, excluded=(number,)))
    case = evidence.gather(replace(quoted, text="She him from the water."), context=numbered, retriever=found)
    assert OfflineJudge().judge([case]).verdicts[0].label is Label.SUPPORTED
    elsewhere = replace(quoted, citations=(Citation(Span(0, 5), 0),))
    case = evidence.gather(elsewhere, context=context, retriever=found)
    assert OfflineJudge().judge([case]).verdicts[0].label is Label.UNSUPPORTED


def test_the_bundled_head_judges_alike_alone_and_together(context: Context) -> None:
    texts = ["Bess saved Tom from the water.", "Bess hated the moon.", "", "Tom married in the spring."]
    cases = [evidence.in_book(claim(text), context=context) for text in texts]
    together = OfflineJudge().judge(cases).verdicts
    alone = [OfflineJudge().judge([case]).verdicts[0] for case in cases]
    assert [v.label for v in together] == [v.label for v in alone]
    assert [v.score for v in together] == pytest.approx([v.score for v in alone], abs=2e-3)


@pytest.mark.parametrize(
    "text", ["?!", "Bess", "安娜拒绝了那只表。", "Анна отказалась.", "Bess " * 300, "\0"]
)  # fmt: skip
def test_any_text_gets_a_verdict(text: str, context: Context) -> None:
    verdict = OfflineJudge().judge([evidence.in_book(claim(text), context=context)]).verdicts[0]
    assert verdict.label is not Label.SUPPORTED
    assert 0 <= verdict.score <= 1
