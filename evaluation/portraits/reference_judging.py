"""Judge an answer's facts against the reference, and the reference's facts against the answer."""

from __future__ import annotations

from dataclasses import replace

from evaluation.metrics.types import MetricSample
from generation.checking.protocols import Extractor, Judge
from generation.checking.reference_comparison import compare
from generation.contexts import make_context
from generation.types import Portrait


def beside_reference(sample: MetricSample, judge: Judge, extractor: Extractor) -> Portrait:
    """Return the sample's portrait with PRISMA against its reference."""
    portrait = sample.portrait
    if portrait is None:
        raise ValueError("an answer that is judged against a reference must have facts")
    context = make_context(sample.book, annotations=sample.annotations, people=[sample.character])
    found, _ = compare(
        portrait.sentences,
        [fact.claim for fact in portrait.facts],
        text=sample.reference,
        source="reference",
        context=context,
        judge=judge,
        extractor=extractor,
    )
    return replace(portrait, prisma=replace(portrait.prisma, reference=found))
