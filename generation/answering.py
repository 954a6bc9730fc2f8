"""The whole way of an answer: write, split into claims, find evidence, judge, count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from books.types import Span
from generation.checking import evidence, prisma
from generation.checking.claims.offline_extractor import OfflineExtractor
from generation.protocols import Audience, Extractor, Generator, Judge
from generation.types import (
    AnswerLimits,
    Category,
    Claim,
    Context,
    Draft,
    Fact,
    Portrait,
    Prompt,
    Provenance,
    Task,
    Usage,
)
from generation.writing.citations import cite
from retrieval.types import Passage

OFFLINE: Extractor = OfflineExtractor()
WORDS = {Task.DESCRIPTION: 90, Task.ANALYSIS: 600, Task.JOINT: 45}


def default_words(task: Task) -> int:
    """How long an answer is unless somebody says otherwise; in a joint answer, for each person."""
    return WORDS[task]


def write(
    prompt: Prompt,
    *,
    generator: Generator,
    judge: Judge,
    limits: AnswerLimits,
    evidence_for: Callable[[Claim], Sequence[Passage]],
    provenance: Provenance,
    extractor: Extractor = OFFLINE,
    audience: Audience | None = None,
) -> Portrait:
    """One portrait. `evidence_for` looks in the gated book for what bears on a claim."""
    start = perf_counter()
    draft = generator.generate([prompt], limits, audience=audience)[0]
    if generator.prompts is not None:
        draft = cite(draft, prompt.context, lambda text: evidence_for(_claim(text)))
    examined = examine(
        draft, context=prompt.context, judge=judge, evidence_for=evidence_for, extractor=extractor
    )
    usage = replace(draft.usage + examined.usage, seconds=perf_counter() - start)
    return Portrait(
        task=prompt.task,
        characters=prompt.context.people,
        sentences=tuple(replace(s, stated=()) for s in draft.sentences),
        facts=examined.facts,
        prisma=prisma.score(examined.facts),
        provenance=provenance,
        usage=usage,
        notes=(*draft.notes, *examined.notes),
    )


def _claim(text: str) -> Claim:
    """A whole sentence, to be looked for."""
    return Claim(text, Category.OTHER, sentence=0, span=Span(0, len(text)), subject=None)


def check(
    draft: Draft,
    *,
    context: Context,
    judge: Judge,
    evidence_for: Callable[[Claim], Sequence[Passage]],
    extractor: Extractor = OFFLINE,
) -> tuple[Fact, ...]:
    """The facts of any text, whoever wrote it, each with a verdict."""
    return examine(draft, context=context, judge=judge, evidence_for=evidence_for, extractor=extractor).facts


@dataclass(frozen=True, slots=True)
class Examined:
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]
    """What was noted over finding them."""
    usage: Usage
    """What a language model took to find them."""


def examine(
    draft: Draft,
    *,
    context: Context,
    judge: Judge,
    evidence_for: Callable[[Claim], Sequence[Passage]],
    extractor: Extractor = OFFLINE,
) -> Examined:
    extracted = extractor.extract(draft, context)
    made = extracted.claims
    found = [evidence.gather(claim, context=context, passages=evidence_for(claim)) for claim in made]
    verdicts = judge.judge(made, found)
    facts = tuple(Fact(claim, verdict) for claim, verdict in zip(made, verdicts, strict=True))
    return Examined(facts, extracted.notes, extracted.usage)
