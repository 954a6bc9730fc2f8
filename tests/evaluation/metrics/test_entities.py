"""The names in a reference, and how many of them the answer mentions too."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from evaluation import novella
from evaluation.metrics.entities import EntityRecall
from evaluation.metrics.registry import make_metric
from evaluation.metrics.roster import Roster
from evaluation.metrics.types import MetricSample
from tests.evaluation.metrics.samples import CAST, book_of, character, sample

REFERENCE = (
    "Elizabeth Bennet is the daughter of Mr. Bennet. She loves her sister Jane, refuses Mr. Darcy and visits "
    "Pemberley with her uncle Mr. Gardiner."
)


@pytest.fixture(scope="module")
def metric() -> EntityRecall:
    found = make_metric("entities")
    assert isinstance(found, EntityRecall)
    return found


def named(text: str, *cast_names: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    cast = [character(*names) for names in cast_names] if cast_names else CAST
    return [(n.span.of(text), sorted(n.characters)) for n in Roster(cast).find(text)]


def test_any_name_is_the_persons(metric: EntityRecall) -> None:
    """Of six names, four are people of the book's cast, one is a man outside of it, one a house."""
    full, short, none = metric.score(
        [
            sample(
                "Miss Elizabeth saw Jane, Fitzwilliam Darcy, Mr Bennet and Gardiner at Pemberley.", REFERENCE
            ),
            sample("Lizzy went to Pemberley, and thought of Darcy.", REFERENCE),
            sample("She went away, and Mrs. Bennet wept.", REFERENCE),
        ]
    )
    assert full == {"entity_recall": 1.0, "people_recall": 1.0}
    assert short["entity_recall"] == pytest.approx(3 / 6)
    assert none == {"entity_recall": 0.0, "people_recall": 0.0}


def test_titles_tell_husband_and_wife_apart() -> None:
    assert named("Mr. Bennet, Mrs. Bennet and Mr Darcy.") == [
        ("Mr. Bennet", ["mr.-bennet"]),
        ("Mrs. Bennet", ["mrs.-bennet"]),
        ("Mr Darcy", ["mr.-darcy"]),
    ]
    assert named("Mrs. Darcy came.") == []
    assert named("The Bennet house.") == [("Bennet", ["mr.-bennet", "mrs.-bennet"])]


def test_what_follows_a_name_belongs_to_it_if_the_book_has_it_so() -> None:
    cast = (("Bess", "Miss Farrow"), ("Tom Larkin", "Tom"))
    assert named("Bess Farrow met Tom, Larkin's son. Bess Larkin?", *cast) == [
        ("Bess Farrow", ["bess"]),
        ("Tom", ["tom-larkin"]),
        ("Bess", ["bess"]),
    ]
    assert named("It was J. R. Farrow’s aunt.", ("J. R. Farrow",)) == [("J. R. Farrow", ["j.-r.-farrow"])]


def test_names_end_with_sentences_and_at_commas() -> None:
    cast = (("Dr. Livesey",), ("Squire Trelawney", "Squire"), ("Jim Hawkins", "Jim"))
    assert [
        text for text, _ in named("Jim Hawkins, the boy, told Dr. Livesey, Squire Trelawney.", *cast)
    ] == [
        "Jim Hawkins",
        "Dr. Livesey",
        "Squire Trelawney",
    ]
    assert [text for text, _ in named("It was Jim. Hawkins slept.", *cast)] == ["Jim"]


def test_a_person_without_a_name_is_named_by_the_phrase() -> None:
    assert named("He asked the lamplighter, not a lamplighter.", ("the lamplighter",)) == [
        ("the lamplighter", ["the-lamplighter"])
    ]


def test_a_word_that_opens_a_sentence_is_a_name_only_if_the_tagger_says_so(metric: EntityRecall) -> None:
    cast = (character("Will"), character("Bess Farrow", "Bess"))
    reference = "Will she forgive him? Bess does not know. Bess Farrow leaves."
    (scores,) = metric.score([sample("Bess leaves.", reference, cast=cast)])
    assert scores["people_recall"] == 1


def test_no_cast_at_all(metric: EntityRecall) -> None:
    found = metric.score(
        [sample(answer, REFERENCE, cast=()) for answer in ("At Pemberley Mr. Darcy.", "At home.", "")]
    )
    assert 0 < (found[0]["entity_recall"] or 0) < 1
    assert found[1]["entity_recall"] == found[2]["entity_recall"] == 0


def test_nothing_named_gives_nothing(metric: EntityRecall) -> None:
    for scores in metric.score([sample("Lizzy.", ""), sample("Lizzy.", "She is tall, and likes to walk.")]):
        assert scores == {"entity_recall": None, "people_recall": None}


def test_chinese(metric: EntityRecall) -> None:
    cast = (character("賈寶玉", "宝玉"), character("林黛玉", "黛玉"), character("薛宝钗"))
    book = book_of("贾宝玉见了林黛玉。", language="zh")
    (scores,) = metric.score(
        [sample("寶玉喜欢她。", "贾宝玉与林黛玉一同长大，宝玉爱黛玉。", book=book, cast=cast)]
    )
    assert scores["people_recall"] == pytest.approx(1 / 2)


def test_very_long_answers_and_references_take_bounded_time(metric: EntityRecall) -> None:
    start = time.process_time()
    long = sample(f"{'Lizzy Bennet walked. ' * 3_000}", f"{REFERENCE} " * 60)
    assert metric.score([long])[0]["people_recall"] != 0
    assert time.process_time() - start < 10


def test_a_hundred_samples_are_quick(metric: EntityRecall) -> None:
    """With the references cached, as they are for every system of a table but the first."""
    references = [d for each in novella.gold().references for d in each.descriptions]
    book = book_of(*novella.text().split("\n"))
    base = sample("", book=book)
    many: list[MetricSample] = [
        replace(base, answer=references[n % 7], reference=references[n % len(references)]) for n in range(100)
    ]
    metrics = [metric, make_metric("rouge"), make_metric("ngrams")]
    for each in metrics:
        each.score(many[:10])
    start = time.process_time()
    for each in metrics:
        assert len(each.score(many)) == 100
    assert time.process_time() - start < 4
