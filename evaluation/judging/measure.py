"""Measure judges on facts that are known to be true or false."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from books.types import Book, Span
from coref.types import Annotations
from evaluation.judging.types import KnownFact
from generation.checking import evidence
from generation.story.cast import cast_of
from generation.story.named_people import Names
from generation.types import Claim, Evidence, Prompt, Task
from generation.writing.prompts import make_prompt
from retrieval.types import Passage

Search = Callable[[str], Sequence[Passage]]
"""Returns passages that share words with a text."""


@dataclass(frozen=True, slots=True)
class FactWithEvidence:
    """A fact as it is given to a judge."""

    known: KnownFact
    claim: Claim
    evidence: Sequence[Evidence]


def cases(
    facts: Sequence[KnownFact], *, book: Book, annotations: Annotations, search: Search
) -> Iterator[FactWithEvidence]:
    """Yield the cases; all facts must be about this book."""
    prompt = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=())
    for fact, claim in zip(facts, claims_of(facts, prompt), strict=True):
        yield FactWithEvidence(
            fact, claim, evidence.gather(claim, prompt=prompt, passages=search(claim.text))
        )


def claims_of(facts: Sequence[KnownFact], prompt: Prompt) -> list[Claim]:
    """Return whole claims with the cast's names looked up.

    The result must not depend on how texts are split.
    """
    names = Names(cast_of(prompt.book, prompt.annotations).annotations.characters)
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
