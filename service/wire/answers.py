"""Answers: sentences with citations, facts with verdicts, and provenance."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from books.types import Book
from coref.types import Character
from generation.answering import answered
from generation.checking.overruling import identify
from generation.checking.prisma import doubted_sentences
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
from service.shelf import View
from service.usecases.answer_request import SUMMARY_MOST, Wanted
from service.usecases.answers import Estimate
from service.wire.engine_names import ShownName
from service.wire.markdown import answer_markdown
from service.wire.shapes import DECISIONS, LOCATOR, PRONOUNS, Copy, Out, SpanOut, locator_at


class CitationOut(Out):
    span: SpanOut
    chapter: int = Field(description="Counted from 1.")
    quote: str = Field(description="The text of the book at `span`.")
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, citation: Citation, *, book: Book) -> CitationOut:
        span = citation.span
        quote, locator = book.slice(span), locator_at(book, span.start)
        return cls.like(citation, chapter=citation.chapter + 1, quote=quote, locator=locator)


class PersonOut(Copy[Character]):
    id: str
    name: str
    pronouns: str | None = Field(description=PRONOUNS)
    mention_count: int = Field(description="Mentions up to `upto`.")


class SentenceOut(Out):
    text: str = Field(description="The sentence, without the marks of its citations.")
    heading: str | None = Field(description="The sentence starts a section with this heading.")
    characters: list[str] = Field(description="Ids of the characters it is about.")
    citations: list[CitationOut] = Field(description="Empty if no supporting passage was found.")
    remark: bool = Field(description="It has no facts to check, such as a quotation that tells the story.")
    line: bool = Field(description="It begins a line of its own, as in a list.")
    doubt: Label | None = Field(
        description="`contradicted` or `unsupported` if the book does not bear out one of its facts. "
        "The verdicts of readers count."
    )

    @classmethod
    def of(cls, sentence: Sentence, *, book: Book, doubt: Label | None) -> SentenceOut:
        citations = [CitationOut.of(c, book=book) for c in sentence.citations]
        return cls.like(sentence, citations=citations, doubt=doubt)


class FactOut(Out):
    id: str = Field(
        description="Use it to change the verdict. The same claim has the same id in all answers."
    )
    text: str = Field(description="One claim of the sentence, with names in place of pronouns.")
    category: Category
    sentence: int = Field(description="Index of its sentence, counted from 0.")
    span: SpanOut = Field(description="Position in the text of that sentence.")
    subject: str | None = Field(description="Id of the character that it is about, if known.")
    label: Label = Field(description="The verdict of the judge.")
    score: float = Field(ge=0, le=1, description="Confidence of the judge in the label.")
    quoted: bool = Field(
        description="Whether its words are the book's own. Of a quotation only whom it means is judged."
    )
    overruled: Label | None = Field(description="The verdict of a reader, which overrides that of the judge.")
    judge: ShownName = Field(description="The judge of this fact, with its version.")
    note: ShownName | None = Field(description="The reason, if the judge could not check the fact.")
    evidence: list[CitationOut] = Field(description="The passages that the verdict rests on.")

    @classmethod
    def of(cls, fact: Fact, *, book: Book, upto: int | None) -> FactOut:
        """`upto` is the offset up to which the answer may use the book."""
        claim, verdict = fact.claim, fact.verdict
        return cls.like(
            claim,
            id=identify(claim, upto=upto),
            label=verdict.label,
            score=min(1.0, max(0.0, verdict.score)),
            overruled=fact.overruled,
            judge=verdict.judge,
            note=verdict.note,
            evidence=[CitationOut.of(c, book=book) for c in verdict.evidence],
        )


class CountOut(Out):
    supported: int = Field(description="Number of facts that the book supports.")
    facts: int


class ComparedOut(Copy[Compared]):
    borne_out: int = Field(description="Facts of the answer that the reference supports.")
    said: int = Field(description="Facts in the answer.")
    found: int = Field(description="Facts of the reference that the answer covers.")
    wanted: int = Field(description="Facts in the reference.")
    precision: float | None = Field(description="`borne_out` of `said`; null if nothing is said.")
    recall: float | None = Field(description="`found` of `wanted`; null if nothing is wanted.")
    f1: float | None = Field(description="Harmonic mean of `precision` and `recall`.")


class AgainstOut(Copy[Reference]):
    """An answer compared with a reference text."""

    source: str = Field(description="Author or source of the reference text.")
    whole: ComparedOut = Field(description="All facts together.")
    by_category: dict[str, ComparedOut] = Field(description="The same by the category of the facts.")


class PrismaOut(Out):
    facts: int
    supported: int = Field(
        description="Number of facts that the book supports. The verdicts of readers count."
    )
    precision: float | None = Field(
        description="Share of the facts that the book supports; null if too few of them could be judged."
    )
    by_category: dict[str, CountOut] = Field(description="Both numbers by the category of the facts.")
    overruled: int = Field(description="Number of facts whose verdict a reader has changed.")
    decided: int = Field(description="Number of facts that could be judged.")
    reference: AgainstOut | None = Field(
        description="Null if there is no reference text, or if `upto` is given."
    )

    @classmethod
    def of(cls, prisma: Prisma) -> PrismaOut:
        return cls.like(
            prisma,
            by_category={c.value: CountOut(supported=s, facts=n) for c, (s, n) in prisma.by_category.items()},
            decided=prisma.facts if prisma.decided is None else prisma.decided,
        )


class ProvenanceOut(Copy[Provenance]):
    """How the answer was made. The same provenance gives the same answer."""

    text_sha256: str = Field(description="Hash of the text of the book.")
    resolver: str = Field(description="Engine that found the characters, with its version.")
    retriever: str = Field(description="How the passages for the answer were chosen.")
    generator: ShownName = Field(
        description="Engine that wrote it, with its version, and the language model, if one did."
    )
    judge: ShownName = Field(description="Engine that checked the facts.")
    decisions: int = Field(description=DECISIONS)
    upto: int | None = Field(description="Offset up to which the book was used; null for the whole book.")
    seed: int = Field(description="A language model writes another answer with another `seed`.")
    strategy: Strategy = Field(description="Which text of the book the language model received.")
    prompts: str | None = Field(description="Hash of the prompt templates, if any were used.")
    extractor: ShownName | None = Field(description="Engine that found its facts; null for older answers.")


class UsageOut(Copy[Usage]):
    prompt_tokens: int = Field(description="Tokens that language models have read.")
    completion_tokens: int = Field(description="Tokens that language models have written.")
    calls: int = Field(description="Calls of language models. 0 if none was needed.")
    seconds: float = Field(description="Time that writing took.")


class RejectedOut(Copy[RejectedDraft]):
    """A draft of a language model that was rejected and replaced by the offline answer."""

    generator: ShownName = Field(description="Engine that was to write the answer.")
    reason: str = Field(description="Why there is no answer of it, in one sentence.")


class PortraitOut(Out):
    book: str = Field(description="The book's id.")
    task: Task
    characters: list[PersonOut] = Field(description="Whom it is about; empty for a summary or a recap.")
    chapter: int | None = Field(
        description="The chapter that a summary is of, counted from 1; null for the book, and if it is about "
        "characters."
    )
    question: str | None = Field(description="The question that it answers, if any.")
    answered: bool = Field(description="False if the book, as far as it is read, does not answer it.")
    text: str = Field(description="The whole answer, without citations.")
    markdown: str = Field(description="The answer as Markdown, with its sources as footnotes.")
    sentences: list[SentenceOut]
    facts: list[FactOut] = Field(description="The claims of the sentences, each with its verdict.")
    prisma: PrismaOut = Field(description="How many of the facts the book supports.")
    provenance: ProvenanceOut
    usage: UsageOut = Field(description="Cost of generating it. A stored answer keeps its cost.")
    kept: UsageOut = Field(
        description="What the texts on parts of the book had cost that were kept from before. It is not in "
        "`usage`."
    )
    notes: list[ShownName] = Field(description="Notes on the process, for example a repeated request.")
    rejected: RejectedOut | None = Field(description="The draft that this answer replaces, if any.")

    @classmethod
    def of(cls, portrait: Portrait, *, view: View) -> PortraitOut:
        """`view` is what the answer was made from."""
        doubted, book = doubted_sentences(portrait.facts), view.book
        return cls.like(
            portrait,
            book=view.record.id,
            chapter=None if portrait.chapter is None else portrait.chapter + 1,
            answered=answered(portrait),
            markdown=answer_markdown(portrait, view=view),
            sentences=[
                SentenceOut.of(s, book=book, doubt=doubted.get(n)) for n, s in enumerate(portrait.sentences)
            ],
            facts=[FactOut.of(f, book=book, upto=portrait.provenance.upto) for f in portrait.facts],
            prisma=PrismaOut.of(portrait.prisma),
        )


class PlanOut(Out):
    """The maximum cost of an answer. Nothing was generated."""

    book: str = Field(description="The book's id.")
    task: Task
    characters: list[PersonOut]
    kept: bool = Field(description="The answer is stored already and costs nothing.")
    calls: int = Field(description="Calls of language models. 0 if none is needed.")
    prompt_tokens: int = Field(description="Tokens that language models would read.")
    completion_tokens: int = Field(description="Tokens that language models would write, at most.")
    texts_kept: UsageOut = Field(
        description="What the texts on parts of the book have cost that are kept already. They cost nothing "
        "now."
    )
    budget: int | None = Field(description="Maximum tokens that it may use.")
    passages: int = Field(description="Number of passages that the generator would receive.")
    provenance: ProvenanceOut

    @classmethod
    def of(cls, estimate: Estimate) -> PlanOut:
        asked, request = estimate.asked, estimate.asked.request
        return cls.like(
            estimate.plan,
            book=asked.view.record.id,
            task=request.task,
            characters=asked.context.people,
            kept=estimate.kept,
            texts_kept=estimate.plan.kept,
            budget=request.limits.tokens,
            passages=estimate.passages,
            provenance=request.provenance,
        )


class SummaryIn(BaseModel):
    """A summary of the book, which a language model receives instead of text from the book."""

    model_config = ConfigDict(extra="forbid")

    summary: str = Field(min_length=1, max_length=SUMMARY_MOST, pattern=r"\S")

    def of(self, wanted: Wanted) -> Wanted:
        return replace(wanted, summary=self.summary)
