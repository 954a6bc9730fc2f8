"""The report on one judge: both halves, and their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.judging.judge_figures import Bin, JudgeFigures, by, figures, reliability
from evaluation.judging.types import JudgedFact, JudgingHalf


@dataclass(frozen=True, slots=True)
class HalfReport:
    whole: JudgeFigures
    by_category: Mapping[str, JudgeFigures]
    by_falsehood: Mapping[str, JudgeFigures]
    by_book: Mapping[str, JudgeFigures]
    reliability: Sequence[Bin]


@dataclass(frozen=True, slots=True)
class JudgeReport:
    judge: str
    seconds: float
    """Time to find evidence and judge, with books already open."""
    halves: Mapping[str, HalfReport]


def report(judge: str, judged: Sequence[JudgedFact], *, seconds: float) -> JudgeReport:
    halves = {half.value: [j for j in judged if j.known.half is half] for half in JudgingHalf}
    return JudgeReport(judge, seconds, {name: part(found) for name, found in halves.items() if found})


def part(judged: Sequence[JudgedFact]) -> HalfReport:
    return HalfReport(
        whole=figures(judged),
        by_category=by(judged, lambda j: j.known.category.value),
        by_falsehood=by(judged, lambda j: j.known.falsehood and j.known.falsehood.value),
        by_book=by(judged, lambda j: j.known.book),
        reliability=reliability(judged),
    )
