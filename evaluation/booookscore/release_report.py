"""Everything that the released files tell: the scores, what people annotated, and what was confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluation.booookscore.people import ConfirmedAnnotations, annotated_by_people, confirmations
from evaluation.booookscore.published import HUMAN_SCORES, PublishedScore, published
from evaluation.booookscore.release import released_systems
from evaluation.booookscore.scoring import SystemScore, system_score
from evaluation.booookscore.touched_sentences import SentenceAgreement, agreement
from evaluation.datasets.types import DataInvalid


@dataclass(frozen=True, slots=True)
class ComparedScore:
    measured: SystemScore
    published: PublishedScore | None
    difference: float | None
    """Points: measured minus published."""


@dataclass(frozen=True, slots=True)
class HumanScore:
    """A score from what people marked: each annotation counts as one sentence, also a pair of spans."""

    measured: SystemScore
    published: float | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    systems: tuple[ComparedScore, ...]
    people: tuple[HumanScore, ...]
    confirmed: tuple[ConfirmedAnnotations, ...]
    agreements: tuple[SentenceAgreement, ...]


def release_report(folder: Path) -> ReleaseReport:
    """Measure the released folder. Raises `DataInvalid`."""
    order = list(published())
    by_model = {each.name: each for each in released_systems(folder)}
    by_people = list(annotated_by_people(folder))
    systems = [_compared(system_score(each.name, each.summaries)) for each in by_model.values()]
    if not systems:
        raise DataInvalid(f"{folder} has no annotations with their summaries.")
    systems.sort(key=lambda c: (order.index(c.measured.name) if c.published else len(order), c.measured.name))
    return ReleaseReport(
        tuple(systems),
        tuple(_by_people(system_score(each.name, each.summaries)) for each in by_people),
        tuple(confirmations(folder)),
        tuple(agreement(by_model[each.name], each) for each in by_people if each.name in by_model),
    )


def _compared(measured: SystemScore) -> ComparedScore:
    known = published().get(measured.name)
    return ComparedScore(measured, known, _points(measured, None if known is None else known.score))


def _by_people(measured: SystemScore) -> HumanScore:
    known = HUMAN_SCORES.get(measured.name)
    return HumanScore(measured, known, _points(measured, known))


def _points(measured: SystemScore, known: float | None) -> float | None:
    return None if known is None else 100 * measured.score.mean - known
