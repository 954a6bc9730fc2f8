"""Judge an answer's facts against the reference, and the reference's facts against the answer."""

from __future__ import annotations

from dataclasses import replace

from evaluation.metrics.types import MetricSample
from generation.checking.reference_comparison import compare
from generation.protocols import Extractor, Judge
from generation.types import Portrait
from generation.writing.prompts import make_prompt


def beside_reference(sample: MetricSample, judge: Judge, extractor: Extractor) -> Portrait:
    """Return the sample's portrait with PRISMA against its reference."""
    portrait = sample.portrait
    if portrait is None:
        raise ValueError("an answer that is judged against a reference must have facts")
    prompt = make_prompt(
        sample.book, task=sample.task, annotations=sample.annotations, characters=[sample.character]
    )
    found, _ = compare(
        portrait.sentences,
        [fact.claim for fact in portrait.facts],
        text=sample.reference,
        source="reference",
        prompt=prompt,
        judge=judge,
        extract=extractor.extract,
    )
    return replace(portrait, prisma=replace(portrait.prisma, reference=found))
