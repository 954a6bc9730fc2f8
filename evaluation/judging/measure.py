"""Judges on facts of which it is known whether they are true."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from books.types import Book, Span
from coref.types import Annotations
from evaluation.judging.types import Judged, Known
from generation import evidence
from generation.cast import cast_of
from generation.names import Names
from generation.prompts import make_prompt
from generation.protocols import Judge
from generation.types import Claim, Prompt, Task
from retrieval.types import Passage

Search = Callable[[Claim], Sequence[Passage]]


def judged(
    facts: Sequence[Known], *, book: Book, annotations: Annotations, judge: Judge, search: Search
) -> list[Judged]:
    """All facts must be of this book."""
    prompt = make_prompt(book, task=Task.DESCRIPTION, annotations=annotations, characters=())
    claims = claims_of(facts, prompt)
    found = [evidence.gather(claim, prompt=prompt, passages=search(claim)) for claim in claims]
    verdicts = judge.judge(claims, found)
    return [Judged(*row) for row in zip(facts, claims, verdicts, strict=True)]


def claims_of(facts: Sequence[Known], prompt: Prompt) -> list[Claim]:
    """Whole, with the cast's names looked up: how a judge does is not to depend on how texts are split."""
    cast = cast_of(prompt.book, prompt.annotations)
    names = Names(cast.annotations.characters)
    return [_claim(fact, names) for fact in facts]


def _claim(fact: Known, names: Names) -> Claim:
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
