"""How far the confidence of mentions can be believed: of those with about 0.8, are eight in ten right?

A mention is right if it means the gold entity that its character is. On LitBank a character is the entity
that most of its mentions mean; in the Project Dialogism corpus it is its partner (`casting`), and only
mentions inside quotes are annotated. *Before* is the share of the resolver's weights, *after* the probability
of `coref.names.certainty`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coref.names.certainty import MentionSort, shipped
from coref.native.mention_facts import facts_of
from coref.native.resolver import NativeResolver, assemble
from coref.training.certainty_lessons import CertaintyLesson
from coref.types import Mention
from evaluation.coref.casting import cast, speakers_of
from evaluation.coref.pdnc import PdncNovel
from evaluation.metrics.logistic import area

BINS = 10


@dataclass(frozen=True, slots=True)
class JudgedMention:
    sort: MentionSort
    before: float
    after: float
    right: bool


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    low: float
    high: float
    count: int
    mean: float | None
    """The mean confidence of its mentions; None without any."""
    right: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    count: int
    right: float
    mean: float
    error: float
    """The expected calibration error: the mean distance of the bins' shares from their confidence."""
    auc: float | None
    """The chance that a right mention has more confidence than a wrong one; None if all are the same."""
    brier: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True)
class ReliabilityReport:
    before: Reliability
    after: Reliability
    sorts: dict[str, tuple[Reliability, Reliability]]
    """Before and after, for each sort of mention."""


def judged(lessons: Iterable[CertaintyLesson]) -> list[JudgedMention]:
    """Return the mentions of LitBank's documents with the probabilities of the shipped weights."""
    found: list[JudgedMention] = []
    for lesson in lessons:
        after = shipped().probabilities(lesson.facts)
        found += [
            JudgedMention(f.sort, f.raw, p, right)
            for f, p, right in zip(lesson.facts, after.tolist(), lesson.right, strict=True)
        ]
    return found


def judged_novel(novel: PdncNovel, resolver: NativeResolver) -> list[JudgedMention]:
    ground, meaning = resolver.resolve(novel.book)
    annotations = assemble(ground, meaning)
    ours = speakers_of(novel.quotes, annotations)
    partners = cast(novel, annotations, [quote.speaker if quote else None for quote in ours]).partners
    facts = facts_of(ground, meaning)
    at = {s.span: facts[s.at] for s in meaning.sightings if s.at in facts}
    found: dict[tuple[int, int], Mention] = {
        (m.span.start, m.span.end): m for m in annotations.mentions if m.character is not None
    }
    judged: list[JudgedMention] = []
    for gold in (mention for quote in novel.quotes for mention in quote.mentions):
        mention = found.get((gold.span.start, gold.span.end))
        if mention is None or len(gold.characters) != 1 or gold.characters[0] not in novel.cast:
            continue
        known = at[mention.span]
        right = partners.get(str(mention.character)) == gold.characters[0]
        judged.append(JudgedMention(known.sort, known.raw, mention.confidence, right))
    return judged


def report(mentions: Sequence[JudgedMention]) -> ReliabilityReport:
    if not mentions:
        raise ValueError("there are no mentions to measure")
    before, after = _both(mentions)
    sorts = {
        sort.value: _both(some) for sort in MentionSort if (some := [m for m in mentions if m.sort is sort])
    }
    return ReliabilityReport(before, after, sorts)


def _both(mentions: Sequence[JudgedMention]) -> tuple[Reliability, Reliability]:
    right = np.array([m.right for m in mentions], dtype=bool)
    before, after = (
        np.array(column) for column in zip(*((m.before, m.after) for m in mentions), strict=True)
    )
    return reliability(before, right), reliability(after, right)


def reliability(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> Reliability:
    at = np.minimum((confidence * BINS).astype(int), BINS - 1)
    bins = tuple(_bin(number, confidence[at == number], right[at == number]) for number in range(BINS))
    apart = (b.count * abs(b.mean - b.right) for b in bins if b.mean is not None and b.right is not None)
    return Reliability(
        count=len(right),
        right=float(right.mean()),
        mean=float(confidence.mean()),
        error=sum(apart) / len(right),
        auc=area(confidence, right),
        brier=float(((confidence - right) ** 2).mean()),
        bins=bins,
    )


def _bin(number: int, confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> ReliabilityBin:
    low, high = number / BINS, (number + 1) / BINS
    if not len(right):
        return ReliabilityBin(low, high, 0, None, None)
    return ReliabilityBin(low, high, len(right), float(confidence.mean()), float(right.mean()))
