from __future__ import annotations

from books.types import Span
from generation.checking.prisma import doubted_sentences, score
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


def test_a_sentence_is_doubted_for_its_worst_fact() -> None:
    def told(sentence: int, label: Label, reader: Label | None = None) -> Fact:
        claim = Claim("Tom left.", Category.EVENT, sentence, Span(0, 8), "tom")
        return Fact(claim, Verdict(label, 1.0, (), "hand"), reader)

    facts = [
        *(told(0, Label.SUPPORTED), told(0, Label.UNCERTAIN)),
        *(told(1, Label.UNSUPPORTED), told(1, Label.CONTRADICTED), told(1, Label.UNSUPPORTED)),
        *(told(2, Label.SUPPORTED), told(2, Label.UNSUPPORTED)),
        *(told(3, Label.UNSUPPORTED, Label.SUPPORTED), told(4, Label.SUPPORTED, Label.CONTRADICTED)),
    ]
    assert doubted_sentences(facts) == {
        1: Label.CONTRADICTED,
        2: Label.UNSUPPORTED,
        4: Label.CONTRADICTED,
    }


def test_no_facts_have_no_precision() -> None:
    assert score([]).precision is None
    assert score([]).by_category == {}
