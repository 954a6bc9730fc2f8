from __future__ import annotations

from books.types import Span
from generation.checking.prisma import score
from generation.types import Category, Claim, Fact, Label, Verdict


def fact(category: Category, label: Label) -> Fact:
    claim = Claim("Tom left.", category, 0, Span(0, 8), "tom")
    return Fact(claim, Verdict(label, 1.0, (), "hand"))


def test_precision_is_the_share_of_supported_facts_over_all_and_by_class() -> None:
    facts = [
        fact(Category.EVENT, Label.SUPPORTED),
        fact(Category.EVENT, Label.CONTRADICTED),
        fact(Category.EVENT, Label.UNCERTAIN),
        fact(Category.ROLE, Label.SUPPORTED),
    ]
    prisma = score(facts)
    assert (prisma.facts, prisma.supported, prisma.precision) == (4, 2, 0.5)
    assert prisma.by_category == {Category.ROLE: (1, 1), Category.EVENT: (1, 3)}


def test_no_facts_have_no_precision() -> None:
    assert score([]).precision is None
    assert score([]).by_category == {}
