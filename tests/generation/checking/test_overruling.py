"""Which fact an overruling is about, and for whom it counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from generation.checking.overruling import Overruling, identify, overrule
from generation.checking.prisma import score
from generation.types import Category, Claim, Fact, Label, Verdict

CLAIM = Claim("Tom left.", Category.EVENT, 0, Span(0, 8), "tom")
FACT = Fact(CLAIM, Verdict(Label.UNSUPPORTED, 1.0, (), "hand"))
SO = Overruling("tom", "Tom left.", Label.SUPPORTED)


def test_a_claim_is_the_same_wherever_it_stands() -> None:
    here = identify(CLAIM, upto=None)
    elsewhere = replace(CLAIM, text="Tom  left.", sentence=4, span=Span(7, 15), category=Category.OTHER)
    assert identify(elsewhere, upto=None) == here
    assert here.startswith("f_")
    others = [
        identify(replace(CLAIM, text="Tom stayed."), upto=None),
        identify(replace(CLAIM, subject="bess"), upto=None),
        identify(replace(CLAIM, subject=None), upto=None),
        identify(CLAIM, upto=900),
    ]
    assert len({here, *others}) == 5


def test_a_reader_s_word_counts_before_the_judge_s() -> None:
    facts = overrule([FACT, replace(FACT, claim=replace(CLAIM, subject="bess"))], [SO], upto=None)
    assert [f.label for f in facts] == [Label.SUPPORTED, Label.UNSUPPORTED]
    assert [f.verdict.label for f in facts] == [Label.UNSUPPORTED] * 2
    prisma = score(facts)
    assert (prisma.supported, prisma.overruled, prisma.by_category) == (1, 1, {Category.EVENT: (1, 2)})


def test_what_is_taken_back_counts_no_more() -> None:
    (fact,) = overrule([replace(FACT, overruled=Label.SUPPORTED)], [], upto=None)
    assert fact.overruled is None


@pytest.mark.parametrize(
    ("given", "upto", "counts"),
    [
        (None, None, True),
        (None, 900, False),
        (900, 900, True),
        (900, None, True),
        (901, 900, False),
        (100, 900, True),
    ],
)
def test_nobody_learns_what_comes_later(given: int | None, upto: int | None, counts: bool) -> None:
    (fact,) = overrule([FACT], [replace(SO, upto=given)], upto=upto)
    assert (fact.overruled is Label.SUPPORTED) == counts


def test_whoever_had_read_furthest_is_right() -> None:
    early, late = replace(SO, upto=100), replace(SO, upto=200, label=Label.CONTRADICTED)
    end = replace(SO, label=Label.UNCERTAIN)
    for given in ([early, late, end], [end, late, early]):
        labels = [overrule([FACT], given, upto=upto)[0].overruled for upto in (None, 200, 199, 99)]
        assert labels == [Label.UNCERTAIN, Label.CONTRADICTED, Label.SUPPORTED, None]
