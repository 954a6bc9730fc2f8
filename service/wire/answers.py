"""Answers: sentences with citations, facts with verdicts, and where all of it came from."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from books.types import Book
from coref.types import Character
from generation.checking.overruling import identify
from generation.types import (
    Category,
    Citation,
    Compared,
    Fact,
    Label,
    Portrait,
    Prisma,
    Provenance,
    Reference,
    RejectedDraft,
    Sentence,
    Strategy,
    Task,
    Usage,
)
from service.usecases.answer_request import SUMMARY_MOST, Wanted
from service.usecases.answers import Estimate
from service.wire.shapes import LOCATOR, Copy, Out, SpanOut, locator_at


class CitationOut(Out):
    span: SpanOut
    chapter: int = Field(description="Counted from 1.")
    quote: str = Field(description="The book's own words at `span`.")
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, citation: Citation, *, book: Book) -> CitationOut:
        return cls(
            span=SpanOut.of(citation.span),
            chapter=citation.chapter + 1,
            quote=book.slice(citation.span),
            locator=locator_at(book, citation.span.start),
        )


class PersonOut(Copy[Character]):
    id: str
    name: str
    pronouns: str | None
    mention_count: int


class SentenceOut(Out):
    text: str
    heading: str | None = Field(description="Opens a section with this heading.")
    characters: list[str] = Field(description="Whom it is about, by id.")
    citations: list[CitationOut] = Field(description="Empty: nothing in the book was found for it.")

    @classmethod
    def of(cls, sentence: Sentence, *, book: Book) -> SentenceOut:
        return cls(
            text=sentence.text,
            heading=sentence.heading,
            characters=list(sentence.characters),
            citations=[CitationOut.of(c, book=book) for c in sentence.citations],
        )


class FactOut(Out):
    id: str = Field(description="Overrule the verdict by it; the same claim has it in other answers, too.")
    text: str
    category: Category
    sentence: int = Field(description="Which sentence it came from, counted from 0.")
    span: SpanOut = Field(description="Where in that sentence's text it stands.")
    subject: str | None
    label: Label = Field(description="What the judge says.")
    score: float = Field(ge=0, le=1, description="How sure the judge is of the label.")
    overruled: Label | None = Field(description="What a reader says instead, which then counts.")
    judge: str
    note: str | None = Field(
        description="Why it is no more than that, where the judge could not do its work."
    )
    evidence: list[CitationOut]

    @classmethod
    def of(cls, fact: Fact, *, book: Book, upto: int | None) -> FactOut:
        """`upto` is the gate of the answer that has it."""
        claim, verdict = fact.claim, fact.verdict
        return cls(
            id=identify(claim, upto=upto),
            text=claim.text,
            category=claim.category,
            sentence=claim.sentence,
            span=SpanOut.of(claim.span),
            subject=claim.subject,
            label=verdict.label,
            score=min(1.0, max(0.0, verdict.score)),
            overruled=fact.overruled,
            judge=verdict.judge,
            note=verdict.note,
            evidence=[CitationOut.of(c, book=book) for c in verdict.evidence],
        )


class CountOut(Out):
    supported: int
    facts: int


class ComparedOut(Copy[Compared]):
    borne_out: int = Field(description="Facts of the answer that the reference bears out.")
    said: int = Field(description="Facts of the answer.")
    found: int = Field(description="Facts of the reference that the answer has.")
    wanted: int = Field(description="Facts of the reference.")
    precision: float | None
    recall: float | None
    f1: float | None


class AgainstOut(Out):
    """An answer beside a text that somebody holds to be right."""

    source: str
    whole: ComparedOut
    by_category: dict[str, ComparedOut]

    @classmethod
    def of(cls, reference: Reference) -> AgainstOut:
        return cls(
            source=reference.source,
            whole=ComparedOut.of(reference.whole),
            by_category={c.value: ComparedOut.of(found) for c, found in reference.by_category.items()},
        )


class PrismaOut(Out):
    facts: int
    supported: int
    precision: float | None = Field(description="The share of the facts that the book supports.")
    by_category: dict[str, CountOut]
    overruled: int = Field(description="How many facts count as a reader says, and not as the judge does.")
    reference: AgainstOut | None = Field(description="Null without a reference text, or behind a gate.")

    @classmethod
    def of(cls, prisma: Prisma) -> PrismaOut:
        return cls(
            facts=prisma.facts,
            supported=prisma.supported,
            precision=prisma.precision,
            by_category={c.value: CountOut(supported=s, facts=n) for c, (s, n) in prisma.by_category.items()},
            overruled=prisma.overruled,
            reference=AgainstOut.of(prisma.reference) if prisma.reference else None,
        )


class ProvenanceOut(Copy[Provenance]):
    """The same provenance gives the same answer."""

    text_sha256: str
    resolver: str
    retriever: str
    generator: str
    judge: str
    decisions: int
    upto: int | None = Field(description="The offset of the spoiler gate.")
    seed: int
    strategy: Strategy = Field(description="What of the book a language model was shown.")
    prompts: str | None = Field(description="Hash of the prompt templates, if there were any.")
    extractor: str | None = Field(description="What split it into facts; null for answers of before.")


class UsageOut(Copy[Usage]):
    prompt_tokens: int
    completion_tokens: int
    calls: int
    seconds: float


class RejectedOut(Copy[RejectedDraft]):
    """What a language model wrote was not fit to be shown: the offline answer stands in its place."""

    generator: str
    reason: str


class PortraitOut(Out):
    book: str = Field(description="The book's id.")
    task: Task
    characters: list[PersonOut]
    text: str
    sentences: list[SentenceOut]
    facts: list[FactOut]
    prisma: PrismaOut
    provenance: ProvenanceOut
    usage: UsageOut = Field(description="What writing it cost; a kept answer keeps its cost.")
    notes: list[str] = Field(description="What was done beside writing, such as asking again.")
    rejected: RejectedOut | None = Field(description="Whose draft this answer stands in for, if any.")

    @classmethod
    def of(cls, portrait: Portrait, *, book_id: str, book: Book) -> PortraitOut:
        return cls(
            book=book_id,
            task=portrait.task,
            characters=[PersonOut.of(c) for c in portrait.characters],
            text=portrait.text,
            sentences=[SentenceOut.of(s, book=book) for s in portrait.sentences],
            facts=[FactOut.of(f, book=book, upto=portrait.provenance.upto) for f in portrait.facts],
            prisma=PrismaOut.of(portrait.prisma),
            provenance=ProvenanceOut.of(portrait.provenance),
            usage=UsageOut.of(portrait.usage),
            notes=list(portrait.notes),
            rejected=RejectedOut.of(portrait.rejected) if portrait.rejected else None,
        )


class PlanOut(Out):
    """What an answer would take at most; nothing was written."""

    book: str = Field(description="The book's id.")
    task: Task
    characters: list[PersonOut]
    kept: bool = Field(description="The answer is there already and takes nothing.")
    calls: int
    prompt_tokens: int
    completion_tokens: int
    budget: int | None = Field(description="Tokens that it may take.")
    passages: int = Field(description="How many of the book's passages the writer would be given.")
    provenance: ProvenanceOut

    @classmethod
    def of(cls, estimate: Estimate) -> PlanOut:
        asked, request = estimate.asked, estimate.asked.request
        return cls(
            book=asked.view.record.id,
            task=request.task,
            characters=[PersonOut.of(c) for c in asked.context.people],
            kept=estimate.kept,
            calls=estimate.plan.calls,
            prompt_tokens=estimate.plan.prompt_tokens,
            completion_tokens=estimate.plan.completion_tokens,
            budget=request.limits.tokens,
            passages=estimate.passages,
            provenance=ProvenanceOut.of(request.provenance),
        )


class SummaryIn(BaseModel):
    """A summary of the book, to be shown to a language model in the book's place."""

    model_config = ConfigDict(extra="forbid")

    summary: str = Field(min_length=1, max_length=SUMMARY_MOST, pattern=r"\S")

    def of(self, wanted: Wanted) -> Wanted:
        return replace(wanted, summary=self.summary)
