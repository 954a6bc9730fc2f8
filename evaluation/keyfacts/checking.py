"""Measure a judge on the key facts of the corpus: what it supports, and what it contradicts.

Facts are given to the judge as claims without their quotations. It has to find the evidence itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.types import CATEGORIES, CorpusNovel, as_category
from evaluation.judging.judge_figures import Rate
from evaluation.keyfacts.linking import corpus_claim, corpus_people
from generation.checking import evidence
from generation.checking.protocols import Judge
from generation.contexts import make_context
from generation.types import Label, Verdict


@dataclass(frozen=True, slots=True)
class CheckedFact:
    novel: str
    person: str
    fact: str
    category: str
    true: bool
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CheckFigures:
    facts: int
    true_supported: Rate
    """True facts that are called supported."""
    supported_true: Rate
    """Of what is called supported, the true facts."""
    false_contradicted: Rate
    """False facts that are called contradicted."""
    contradicted_false: Rate
    """Of what is called contradicted, the false facts."""
    uncertain: Rate


def checked(novel: CorpusNovel, book: Book, annotations: Annotations, judge: Judge) -> Iterator[CheckedFact]:
    """Yield every true and false fact of a novel with the verdict."""
    context = make_context(book, annotations=annotations)
    linked = corpus_people(novel, annotations)
    for person in novel.people:
        told = [(f.fact, f.category, True) for f in person.true]
        told += [(f.fact, f.category, False) for f in person.false]
        claims = [
            corpus_claim(fact, person.name, linked[person.name], annotations, as_category(category))
            for fact, category, _ in told
        ]
        verdicts = judge.judge([evidence.in_book(claim, context=context) for claim in claims]).verdicts
        for (fact, category, true), verdict in zip(told, verdicts, strict=True):
            yield CheckedFact(novel.novel, person.name, fact, category, true, verdict)


def figures(facts: Sequence[CheckedFact]) -> CheckFigures:
    supported = [f for f in facts if f.verdict.label is Label.SUPPORTED]
    contradicted = [f for f in facts if f.verdict.label is Label.CONTRADICTED]
    true = sum(f.true for f in facts)
    return CheckFigures(
        facts=len(facts),
        true_supported=Rate(sum(f.true for f in supported), true),
        supported_true=Rate(sum(f.true for f in supported), len(supported)),
        false_contradicted=Rate(sum(not f.true for f in contradicted), len(facts) - true),
        contradicted_false=Rate(sum(not f.true for f in contradicted), len(contradicted)),
        uncertain=Rate(sum(f.verdict.label is Label.UNCERTAIN for f in facts), len(facts)),
    )


def by_category(facts: Iterable[CheckedFact]) -> dict[str, CheckFigures]:
    """Return the figures of all facts as "all", and those of each category."""
    every = list(facts)
    parts = {name: [f for f in every if f.category == name] for name in CATEGORIES}
    return {"all": figures(every)} | {name: figures(part) for name, part in parts.items() if part}
