"""Everything that is told of one judge: both halves, and their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.judging.judge_figures import Bin, Figures, by, figures, reliability
from evaluation.judging.types import Half, Judged


@dataclass(frozen=True, slots=True)
class Part:
    whole: Figures
    by_category: Mapping[str, Figures]
    by_falsehood: Mapping[str, Figures]
    by_book: Mapping[str, Figures]
    reliability: Sequence[Bin]


@dataclass(frozen=True, slots=True)
class Report:
    judge: str
    seconds: float
    """Of finding evidence and judging, books opened already."""
    halves: Mapping[str, Part]


def report(judge: str, judged: Sequence[Judged], *, seconds: float) -> Report:
    halves = {half.value: [j for j in judged if j.known.half is half] for half in Half}
    return Report(judge, seconds, {name: part(found) for name, found in halves.items() if found})


def part(judged: Sequence[Judged]) -> Part:
    return Part(
        whole=figures(judged),
        by_category=by(judged, lambda j: j.known.category.value),
        by_falsehood=by(judged, lambda j: j.known.falsehood and j.known.falsehood.value),
        by_book=by(judged, lambda j: j.known.book),
        reliability=reliability(judged),
    )
