"""The metrics that only count: n-grams and PRISMA, and the registry that names them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Exclusion, Part, Span
from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.ngrams import coverage, density, novel_ngrams, repeated_ngrams
from evaluation.metrics.registry import METRICS, make_metric
from generation.types import Category, Compared, Portrait, Prisma, Provenance, Reference, Task, Usage
from tests.evaluation.metrics.samples import STORY, book_of, sample


def test_each_answer_beside_its_own_book_in_order() -> None:
    other = book_of("A storm fell upon the harbour.")
    metric = make_metric("ngrams")
    given = [
        sample("The rain fell upon Longbourn.", "Rain fell."),
        sample("The rain fell upon Longbourn.", "", book=other),
        sample("Lizzy refused, refused, refused.", "Lizzy walked."),
    ]
    found = metric.score(given)
    for scores, one in zip(found, given, strict=True):
        assert set(scores) == set(metric.columns)
        assert scores["coverage"] == coverage(one.book.text, one.answer)
        assert scores["density"] == density(one.book.text, one.answer)
        for n in range(1, 5):
            assert scores[f"novel{n}_book"] == novel_ngrams(one.answer, one.book.text, n)
            assert scores[f"repeated{n}"] == repeated_ngrams(one.answer, n)
    assert found[0]["coverage"] == 1
    assert found[0]["novel1_reference"] == pytest.approx(3 / 5)
    assert found[1]["novel1_reference"] is None
    assert found[1]["coverage"] == pytest.approx(3 / 5)
    assert found[2]["repeated1"] == pytest.approx(2 / 4)


def test_what_is_not_the_story_is_no_source() -> None:
    book = book_of(*STORY)
    licence = "This licence says whatever it likes."
    longer = replace(
        book,
        text=f"{book.text}\n{licence}",
        excluded=(
            Exclusion(Span(len(book.text) + 1, len(book.text) + 1 + len(licence)), Part.BACK, "licence"),
        ),
        sha256="",
    )
    (scores,) = make_metric("ngrams").score([sample("It likes.", book=longer)])
    assert scores["coverage"] == 0


def portrait(prisma: Prisma) -> Portrait:
    provenance = Provenance("", "", "", "", "", 0, None, 0)
    return Portrait(Task.DESCRIPTION, (), (), (), prisma, provenance, Usage())


def test_prisma_is_what_the_answer_carries() -> None:
    reference = Reference(
        "somebody",
        Compared(borne_out=3, said=4, found=1, wanted=2),
        {Category.EVENT: Compared(borne_out=0, said=1, found=0, wanted=0)},
    )
    checked = Prisma(5, 2, {Category.ROLE: (2, 2), Category.EVENT: (0, 3)}, reference)
    metric = make_metric("prisma")
    full, plain, bare = metric.score(
        [
            sample("…", portrait=portrait(checked)),
            sample("…", portrait=portrait(replace(checked, reference=None))),
            sample("…"),
        ]
    )
    assert set(full) == set(plain) == set(bare) == set(metric.columns)
    assert full["prisma_precision"] == pytest.approx(0.4)
    assert full["prisma_precision_role"] == 1
    assert full["prisma_precision_event"] == 0
    assert full["prisma_precision_personality"] is None
    assert full["prisma_reference_precision"] == pytest.approx(0.75)
    assert full["prisma_reference_recall"] == pytest.approx(0.5)
    assert full["prisma_reference_f1"] == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert full["prisma_reference_precision_event"] == 0
    assert full["prisma_reference_recall_event"] is None
    assert plain["prisma_precision"] == pytest.approx(0.4)
    assert plain["prisma_reference_f1"] is None
    assert set(bare.values()) == {None}


def test_an_unknown_metric_is_told_the_known_ones() -> None:
    with pytest.raises(MetricUnavailable, match=", ".join(METRICS)):
        make_metric("bleu")
    assert list(METRICS) == sorted(METRICS)
