"""Answer a prompt: write a text, split it into claims, find evidence, judge the claims and compute PRISMA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from books.types import count_words
from generation.checking import evidence, prisma
from generation.checking.claims.offline_extractor import OfflineExtractor
from generation.checking.protocols import Extractor, Judge, planned
from generation.errors import DraftRejected
from generation.phrases import unsaid
from generation.protocols import Audience, Generator
from generation.registry import make_judge
from generation.types import (
    CHARACTERS,
    AnswerLanguage,
    AnswerLimits,
    Citation,
    Context,
    Draft,
    Fact,
    Label,
    Portrait,
    Prompt,
    Provenance,
    Sentence,
    Strategy,
    Task,
    Usage,
    Verdict,
)
from generation.writing.answer_faults import names_any
from generation.writing.answer_sizes import LONGEST_WORDS
from generation.writing.attempts import names_of
from generation.writing.citations import MOST, cite
from retrieval.protocols import Retriever

OFFLINE: Extractor = OfflineExtractor()
UNAFFORDABLE = "The facts were checked offline: the budget does not allow more requests."
BRIEF_WORDS = 25
"""A shorter text of a model may say only that there is too little evidence on somebody, whom it names."""
WORDS = {
    Task.DESCRIPTION: 90,
    Task.ANALYSIS: LONGEST_WORDS,
    Task.JOINT: 45,
    Task.SUMMARY: 500,
    Task.RECAP: 300,
    Task.QUESTION: 80,
}
CHAPTER_WORDS = 120
"""Length of the summary of a chapter."""
ALL_PASSAGES = 1_000
PASSAGES = {Task.DESCRIPTION: 80, Task.ANALYSIS: 240, Task.JOINT: 240, Task.QUESTION: 40}
_DOUBTED = frozenset((Label.UNSUPPORTED, Label.CONTRADICTED))


def default_words(
    task: Task, *, of_chapter: bool = False, language: AnswerLanguage = AnswerLanguage.ENGLISH
) -> int:
    """Return the default length of an answer in words. In a joint answer it is the length for each person.

    A Chinese character counts as a word and says less.
    """
    words = CHAPTER_WORDS if of_chapter else WORDS[task]
    return words * CHARACTERS if language.is_chinese else words


def default_passages(task: Task) -> int:
    """Return the default number of passages. More of them tell more, and cost more tokens and time."""
    return PASSAGES.get(task, ALL_PASSAGES)


def write(
    prompt: Prompt,
    *,
    generator: Generator,
    judge: Judge,
    limits: AnswerLimits,
    retriever: Retriever,
    provenance: Provenance,
    extractor: Extractor = OFFLINE,
    audience: Audience | None = None,
    spend: Callable[[int], None] = lambda _: None,
) -> Portrait:
    """Return a portrait with checked facts. The retriever searches the gated book for passages on claims.

    `spend` is told the tokens that the checks may take before they begin, and then those not taken as less.
    """
    start = perf_counter()
    draft = generator.generate(prompt, limits, audience=audience)
    if generator.prompts is not None:
        draft = cite(draft, prompt.context, retriever)
        _found_in_book(draft, prompt)
    if not _affordable(draft, limits, extractor, judge):
        extractor, judge = OFFLINE, make_judge("offline")
        provenance = replace(provenance, extractor=extractor.name, judge=judge.name)
        draft = replace(draft, notes=(*draft.notes, UNAFFORDABLE))
    checks = planned((extractor, judge), count_words(draft.text)).tokens
    spend(checks)
    examined = examine(draft, context=prompt.context, judge=judge, retriever=retriever, extractor=extractor)
    spend(examined.usage.tokens - checks)
    sentences, facts = _borne_out(draft.sentences, examined.facts)
    usage = replace(draft.usage + examined.usage, seconds=perf_counter() - start)
    return Portrait(
        task=prompt.task,
        characters=prompt.context.people,
        chapter=prompt.chapter,
        question=prompt.question,
        sentences=tuple(
            replace(s, stated=(), offered=())
            for s in cited_by_facts(sentences, facts, proven=examined.proven)
        ),
        facts=facts,
        prisma=prisma.score(facts),
        provenance=replace(provenance, judge=examined.judge or provenance.judge),
        usage=usage,
        notes=(*draft.notes, *examined.notes),
        kept=draft.kept,
    )


def _affordable(draft: Draft, limits: AnswerLimits, extractor: Extractor, judge: Judge) -> bool:
    if limits.tokens is None:
        return True
    spent = limits.spent + draft.usage.tokens
    return spent + planned((extractor, judge), count_words(draft.text)).tokens <= limits.tokens


def _borne_out(
    sentences: Sequence[Sentence], facts: Sequence[Fact]
) -> tuple[Sequence[Sentence], tuple[Fact, ...]]:
    """Leave out the composed sentences with a fact that the book does not bear out, and their facts.

    A language model's sentences have no stated facts. They stay, and are marked.
    """
    doubted = prisma.doubted_sentences(facts)
    gone = {n for n, sentence in enumerate(sentences) if sentence.stated and n in doubted}
    kept = [n for n in range(len(sentences)) if n not in gone]
    if len(kept) == len(sentences) or not kept:
        return sentences, tuple(facts)
    told: list[Sentence] = []
    heading: str | None = None
    for n, sentence in enumerate(sentences):
        heading = sentence.heading or heading
        if n not in gone:
            told.append(replace(sentence, heading=heading))
            heading = None
    place = {before: now for now, before in enumerate(kept)}
    stay = (f for f in facts if f.claim.sentence in place)
    return told, tuple(replace(f, claim=replace(f.claim, sentence=place[f.claim.sentence])) for f in stay)


def cited_by_facts(sentences: Sequence[Sentence], facts: Sequence[Fact], *, proven: bool) -> list[Sentence]:
    """Cite for an uncited sentence what its facts were supported by, if all of them were.

    If a proven judge calls all facts of a model's sentence unsupported or contradicted, it has no citation.
    """
    verdicts: dict[int, list[Verdict]] = {}
    for fact in facts:
        verdicts.setdefault(fact.claim.sentence, []).append(fact.verdict)

    def citations(n: int, sentence: Sentence) -> tuple[Citation, ...]:
        given = verdicts.get(n, ())
        labels = {v.label for v in given}
        if proven and not sentence.stated and labels and labels <= _DOUBTED:
            return ()
        if sentence.citations or labels - {Label.SUPPORTED}:
            return sentence.citations
        return tuple(dict.fromkeys(place for v in given for place in v.evidence))[:MOST]

    return [replace(s, citations=citations(n, s)) for n, s in enumerate(sentences)]


@dataclass(frozen=True, slots=True)
class Examined:
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]
    """Remarks of the extractor, and on facts that could not be judged."""
    usage: Usage
    """Cost of finding and judging the claims with a language model."""
    judge: str | None = None
    """Who judged, if another took the judge's place."""
    proven: bool = False
    """Whether that was a model that had passed its test."""


def examine(
    draft: Draft, *, context: Context, judge: Judge, retriever: Retriever, extractor: Extractor = OFFLINE
) -> Examined:
    extracted = extractor.extract(draft, context)
    cases = [
        evidence.gather(
            claim, context=context, retriever=retriever, offered=draft.sentences[claim.sentence].offered
        )
        for claim in extracted.claims
    ]
    found = judge.judge(cases)
    facts = tuple(Fact(case.claim, verdict) for case, verdict in zip(cases, found.verdicts, strict=True))
    notes = (*extracted.notes, *found.notes, *prisma.notes(prisma.score(facts)))
    return Examined(facts, notes, extracted.usage + found.usage, found.judge, found.proven)


def _found_in_book(draft: Draft, prompt: Prompt) -> None:
    """Raise DraftRejected if the book was shown, and nothing of what was written is found in it."""
    shown = prompt.strategy not in (Strategy.NO_CONTEXT, Strategy.SUMMARY)
    found = any(s.citations or s.remark for s in draft.sentences)
    if shown and not found and not _admits_little(draft.text, prompt):
        rejection = DraftRejected("Nothing of what the model wrote was found in the book.")
        rejection.usage, rejection.unfounded = draft.usage, True
        raise rejection


def _admits_little(text: str, prompt: Prompt) -> bool:
    """Whether a text may only say that the evidence is insufficient: it is brief, and names whom it is about.

    The answer to a question need not. It does not count as one then.
    """
    people = prompt.context.people
    named = prompt.task is Task.QUESTION or (people and names_any(text, names_of(people)))
    return bool(named) and count_words(text) <= BRIEF_WORDS


def answered(portrait: Portrait) -> bool:
    """Whether the book answers the question, if any: not if the answer says so, or is all unsupported."""
    if portrait.question is None:
        return True
    borne_out = any(s.citations for s in portrait.sentences) or portrait.prisma.supported
    return portrait.sentences[0].text not in unsaid() and bool(borne_out)
