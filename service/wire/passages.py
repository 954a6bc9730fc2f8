"""Passages with the reason why each was found, and the results of a search over the library."""

from __future__ import annotations

from pydantic import Field

from books.types import Book
from db.types import BookRecord
from retrieval.types import Finding, Passage
from service.errors import BookFailed
from service.usecases.searching import Found, Hit, Searched, Skipped
from service.wire.shapes import LOCATOR, Copy, Out, SpanOut, locator_at


class FindingOut(Copy[Finding]):
    source: str = Field(description="The retriever that found it, or `neighbour`.")
    score: float = Field(description="Score from that retriever; 0 for a neighbour.")
    rank: int = Field(
        description="Rank by that retriever, from 1. A neighbour has the rank of the passage next to it."
    )


class PassageOut(Out):
    index: int = Field(description="Number of the passage in the index of the book, from 0.")
    span: SpanOut
    chapter: int = Field(description="Counted from 1.")
    text: str = Field(description="The text of the book at `span`.")
    score: float = Field(description="Comparable within one answer only. Higher is better.")
    found: list[FindingOut] = Field(description="Why it was found: every ranking that contains it.")
    sources: list[str] = Field(description="Retrievers that found it.")
    mentions: int = Field(description="Number of mentions of the character in it.")
    locator: str | None = Field(description=LOCATOR)

    @classmethod
    def of(cls, passage: Passage, *, book: Book) -> PassageOut:
        locator = locator_at(book, passage.span.start)
        return cls.like(passage, chapter=passage.chapter + 1, found=passage.findings, locator=locator)


class PassagesOut(Out):
    character: str | None = Field(description="Id of the character; null for a search by words only.")
    retriever: str
    items: list[PassageOut]

    @classmethod
    def of(cls, found: Found) -> PassagesOut:
        items = [PassageOut.of(passage, book=found.book) for passage in found.passages]
        return cls.like(found, character=found.character and found.character.id, items=items)


class TitleOut(Copy[BookRecord]):
    id: str
    title: str | None


class HitOut(PassageOut):
    book: TitleOut
    rank: int = Field(
        description="Rank in all results, from 1. A neighbour has the rank of the passage next to it."
    )
    rank_in_book: int = Field(description="Rank in the results from this book, from 1.")
    marks: list[SpanOut] = Field(description="The words searched for, as offsets in the book.")

    @classmethod
    def of_hit(cls, hit: Hit) -> HitOut:
        return cls.like(hit, **dict(PassageOut.of(hit.passage, book=hit.book)), book=hit.record)


class SkippedBookOut(TitleOut):
    filename: str | None = Field(description="Its file. A book that was never processed may have no title.")


class SkippedOut(Out):
    book: SkippedBookOut
    code: str = Field(description="Error code: why it was not searched.")
    detail: str = Field(description="The same in one sentence.")
    remedy: str
    job: str | None = Field(description="The job to wait for, if one is running.")

    @classmethod
    def of(cls, skipped: Skipped) -> SkippedOut:
        why = skipped.why
        job = None if isinstance(why, BookFailed) else why.job
        return cls.like(why, book=skipped.record, remedy=why.advice, job=job)


class SearchOut(Out):
    retriever: str
    items: list[HitOut] = Field(description="Results from all books, best first.")
    books: int = Field(description="Number of books searched.")
    skipped: list[SkippedOut] = Field(description="Books that could not be searched, with the reason.")

    @classmethod
    def of(cls, searched: Searched) -> SearchOut:
        skipped = [SkippedOut.of(one) for one in searched.skipped]
        return cls.like(searched, items=[HitOut.of_hit(hit) for hit in searched.hits], skipped=skipped)
