"""Where the server of language models is: part of how an answer was made, and only for administrators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generation.models.openai.address import without_address
from generation.types import Fact, Portrait, Provenance, Verdict


def portrait_without_address(portrait: Portrait) -> Portrait:
    rejected = portrait.rejected
    return replace(
        portrait,
        facts=facts_without_address(portrait.facts),
        provenance=provenance_without_address(portrait.provenance),
        notes=tuple(map(without_address, portrait.notes)),
        rejected=rejected and replace(rejected, generator=without_address(rejected.generator)),
    )


def provenance_without_address(made: Provenance) -> Provenance:
    return replace(
        made,
        generator=without_address(made.generator),
        judge=without_address(made.judge),
        extractor=made.extractor and without_address(made.extractor),
    )


def facts_without_address(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    return tuple(replace(fact, verdict=_shown(fact)) for fact in facts)


def _shown(fact: Fact) -> Verdict:
    verdict = fact.verdict
    note = verdict.note and without_address(verdict.note)
    return replace(verdict, judge=without_address(verdict.judge), note=note)
