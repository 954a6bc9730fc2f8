"""Compare classifiers with the gold labels."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.agreement import cohen, fleiss
from evaluation.facts.types import AnnotatorScores, CategoryReport, CategoryScores, FactsHalf, LabelledFact
from generation.types import Category

SECOND = "second pass"


@dataclass(frozen=True, slots=True)
class ClassifierLabels:
    """The labels that one classifier gives the facts, in order."""

    annotator: str
    categories: Sequence[Category]
    offline: int = 0


def report(
    facts: Sequence[LabelledFact], predicted: Sequence[ClassifierLabels], *, half: FactsHalf | None
) -> CategoryReport:
    gold = [f.category for f in facts]
    everybody = [ClassifierLabels(SECOND, [f.second for f in facts]), *predicted]
    together = list(zip(gold, *(s.categories for s in everybody), strict=True))
    return CategoryReport(
        facts=len(facts),
        sha256=_hash(facts),
        half=half,
        measured=tuple(measured(gold, s) for s in everybody),
        fleiss=fleiss(together),
    )


def measured(gold: Sequence[Category], predicted: ClassifierLabels) -> AnnotatorScores:
    pairs = Counter(zip(gold, predicted.categories, strict=True))
    figures = {category: _figures(pairs, category) for category in Category}
    wanted = [f.f1 or 0.0 for f in figures.values() if f.facts]
    return AnnotatorScores(
        annotator=predicted.annotator,
        accuracy=sum(n for (a, b), n in pairs.items() if a is b) / len(gold),
        macro_f1=sum(wanted) / len(wanted),
        kappa=cohen(gold, predicted.categories),
        categories=figures,
        confusion={a: {b: pairs[a, b] for b in Category} for a in Category},
        offline=predicted.offline,
    )


def _figures(pairs: Counter[tuple[Category, Category]], category: Category) -> CategoryScores:
    right = pairs[category, category]
    there = sum(n for (a, _), n in pairs.items() if a is category)
    called = sum(n for (_, b), n in pairs.items() if b is category)
    f1 = 2 * right / (there + called) if there + called else None
    return CategoryScores(right / called if called else None, right / there if there else None, f1, there)


def _hash(facts: Sequence[LabelledFact]) -> str:
    """Hash the measured facts and labels: other facts or labels give other figures."""
    hashed = hashlib.sha256()
    for f in facts:
        hashed.update("\0".join((f.fact, f.category, f.second, f.half, "")).encode())
    return hashed.hexdigest()[:16]
