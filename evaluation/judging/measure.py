"""Measure judges on facts that are known to be true or false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from books.types import Book, Span
from coref.types import Annotations
from evaluation.judging.types import KnownFact
from generation.checking import evidence
from generation.checking.types import Case
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Claim, Context
from retrieval.protocols import Retriever


@dataclass(frozen=True, slots=True)
class FactWithEvidence:
    """A fact as it is given to a judge."""

    known: KnownFact
    case: Case


def cases(
    facts: Sequence[KnownFact], *, book: Book, annotations: Annotations, retriever: Retriever
) -> Iterator[FactWithEvidence]:
    """Yield the cases; all facts must be about this book."""
    context = make_context(book, annotations=annotations)
    for fact, claim in zip(facts, claims_of(facts, context), strict=True):
        yield FactWithEvidence(fact, evidence.gather(claim, context=context, retriever=retriever))


def claims_of(facts: Sequence[KnownFact], context: Context) -> list[Claim]:
    """Return whole claims with the cast's names looked up.

    The result must not depend on how texts are split.
    """
    names = Names(cast_of(context.book, context.annotations).annotations.characters)
    return [_claim(fact, names) for fact in facts]


def _claim(fact: KnownFact, names: Names) -> Claim:
    people = names.find(fact.fact)
    of = people or names.find(fact.character)
    return Claim(
        text=fact.fact,
        category=fact.category,
        sentence=0,
        span=Span(0, len(fact.fact)),
        subject=of[0].character if of else None,
        people=people,
    )
