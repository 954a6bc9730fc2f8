"""The labelled facts, and what is measured on them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evaluation.facts.labelled import read
from evaluation.facts.measure import Said, measured, report
from evaluation.facts.types import Half
from generation.categories import categorise
from generation.types import Category

ROLE, EVENT, OTHER = Category.ROLE, Category.EVENT, Category.OTHER


def test_the_labelled_facts_are_many_even_and_each_there_once() -> None:
    facts = read()
    assert len(facts) >= 200
    assert len({f.fact for f in facts}) == len(facts)
    counts = Counter(f.category for f in facts)
    assert set(counts) == set(Category)
    assert max(counts.values()) - min(counts.values()) <= 3
    for half in Half:
        some = Counter(f.category for f in facts if f.half is half)
        assert max(some.values()) - min(some.values()) <= 1
    assert len({f.book for f in facts}) >= 6


def test_figures_by_hand() -> None:
    gold = [ROLE, ROLE, ROLE, EVENT, EVENT, OTHER]
    said = [ROLE, ROLE, EVENT, EVENT, ROLE, OTHER]
    found = measured(gold, Said("hand", said))
    assert found.accuracy == pytest.approx(4 / 6)
    role = found.categories[ROLE]
    assert (role.precision, role.recall, role.f1, role.facts) == (2 / 3, 2 / 3, pytest.approx(2 / 3), 3)
    assert found.categories[EVENT].precision == 0.5
    assert found.categories[Category.PERSONALITY].f1 is None
    assert found.macro_f1 == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert found.confusion[ROLE][EVENT] == 1
    assert found.kappa == pytest.approx((4 / 6 - 14 / 36) / (22 / 36))


def test_a_floor_of_categories_is_found_in_what_was_held_out() -> None:
    """The floor only ever rises."""
    facts = [f for f in read() if f.half is Half.HELD_OUT]
    found = report(facts, [Said("offline", [categorise(f.fact) for f in facts])], half=Half.HELD_OUT)
    second, offline = found.measured
    assert second.annotator == "second pass"
    assert second.accuracy > 0.9
    assert offline.accuracy >= 0.7
    assert found.fleiss is not None
    assert second.kappa is not None
    assert 0.6 < found.fleiss < second.kappa


def test_other_labels_are_other_labels() -> None:
    facts = read()
    assert report(facts, [], half=None).sha256 != report(facts[1:], [], half=None).sha256


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "column fact is missing"),
        ("fact,category\na,role\n", "column second is missing"),
        ("fact,category,second,book,half\n", "no facts"),
        ("fact,category,second,book,half\n,role,role,b,tuning\n", "row 2: the fact is empty"),
        ("fact,category,second,book,half\na,fun,role,b,tuning\n", "row 2: 'fun'"),
        ("fact,category,second,book,half\na,role,role,b,both\n", "row 2: 'both'"),
        ('fact,category,second,book,half\n"a,role\n', "unexpected end|row 2"),
    ],
)
def test_a_table_that_does_not_read_is_refused(text: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=wrong):
        read(tmp_path / "facts.csv")
