"""How the service fares: engines, precision, requests, storage."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from db.types import AnswerCounts, BookRecord
from generation.types import Label
from service.health.engine_status import Condition
from service.observability.slowest import RouteTimes, Slow
from service.usecases.precision import History
from service.usecases.storage_use import Bytes, Taken
from service.wire.shapes import Copy, Out, Page


class EngineOut(Out):
    kind: str = Field(description="resolver, embedder, retriever, generator, extractor or judge.")
    name: str = Field(description="As the settings call it.")
    health: Literal["works", "degraded", "missing"] = Field(
        description="missing: what needs it is refused with 503."
    )
    detail: str = Field(description="What works, or what is wrong.")
    remedy: str | None = Field(description="What to do about it; null where it works.")
    in_use: bool = Field(description="False for what is only used when it is asked for by name.")
    stands_in: str | None = Field(
        description="What answers in its stead when what it writes is not fit to be shown."
    )

    @classmethod
    def of(cls, condition: Condition) -> EngineOut:
        check = condition.check
        return cls(
            kind=check.group,
            name=check.name,
            health=check.health.value,
            detail=check.detail,
            remedy=check.remedy,
            in_use=condition.in_use,
            stands_in=condition.stands_in,
        )


class EnginesOut(Out):
    items: list[EngineOut]
    looked: datetime = Field(description="When they were tried: they are tried again after some seconds.")


class VerdictsOut(Out):
    """How many facts, by what the judge said of them."""

    supported: int
    contradicted: int
    unsupported: int
    uncertain: int

    @classmethod
    def of(cls, facts: dict[Label, int]) -> VerdictsOut:
        return cls(**{label.value: facts.get(label, 0) for label in Label})


class DayOut(Out):
    """The answers of one day (UTC) by one generator, checked by one judge."""

    day: date
    generator: str
    judge: str
    answers: int = Field(description="Counted when they are written, and not when they are shown again.")
    facts: int
    verdicts: VerdictsOut
    precision: float | None = Field(
        description="The share of the facts that the book supports; null where there are no facts."
    )

    @classmethod
    def of(cls, counts: AnswerCounts) -> DayOut:
        facts = sum(counts.facts.values())
        return cls(
            day=counts.day,
            generator=counts.generator,
            judge=counts.judge,
            answers=counts.answers,
            facts=facts,
            verdicts=VerdictsOut.of(counts.facts),
            precision=counts.facts[Label.SUPPORTED] / facts if facts else None,
        )


class PrecisionOut(Out):
    since: date
    until: date = Field(description="Today, in UTC.")
    items: list[DayOut] = Field(description="Oldest first; days without answers are left out.")

    @classmethod
    def of(cls, history: History) -> PrecisionOut:
        items = [DayOut.of(counts) for counts in history.days]
        return cls(since=history.since, until=history.until, items=items)


class RequestOut(Out):
    at: datetime = Field(description="When it ended.")
    method: str
    route: str = Field(description="The template of the address.")
    status: int = Field(description="0 when the caller left before an answer began.")
    ms: float = Field(description="Until the end of the answer.")
    request_id: str = Field(description="As in `X-Request-ID` and in the log.")

    @classmethod
    def of(cls, slow: Slow) -> RequestOut:
        return cls(
            at=slow.at,
            method=slow.method,
            route=slow.route,
            status=slow.status,
            ms=round(slow.seconds * 1000, 1),
            request_id=slow.request_id,
        )


class RouteOut(Out):
    method: str
    route: str
    count: int
    median_ms: float = Field(description="Of the last 200 requests, as is the next.")
    p95_ms: float = Field(description="So long or less for 95 of 100.")

    @classmethod
    def of(cls, times: RouteTimes) -> RouteOut:
        return cls(
            method=times.method,
            route=times.route,
            count=times.count,
            median_ms=round(times.median * 1000, 2),
            p95_ms=round(times.p95 * 1000, 2),
        )


class RequestsOut(Out):
    """What this process has seen; others have records of their own."""

    slowest: list[RequestOut] = Field(
        description="Single requests of the last hour, slowest first: those of your library's keys, and "
        "those that came without one. Streams of events are left out."
    )
    seconds: float = Field(description="How far back `slowest` goes at most.")
    routes: list[RouteOut] = Field(
        description="All requests of all libraries since the process began, by route; most time taken first."
    )


class BytesOut(Copy[Bytes]):
    source: int = Field(description="The uploaded file.")
    reading: int = Field(description="What was read of it: text, chapters, people, mentions.")
    index: int = Field(description="What searching needs.")
    other: int = Field(description="Superseded versions and unfinished work: it is swept away by itself.")
    total: int


class BookBytesOut(Out):
    book: str = Field(description="The book's id.")
    title: str | None
    filename: str | None
    bytes: BytesOut

    @classmethod
    def of(cls, record: BookRecord, taken: Bytes) -> BookBytesOut:
        return cls(book=record.id, title=record.title, filename=record.filename, bytes=BytesOut.of(taken))


class StorageOut(Page[BookBytesOut]):
    """The largest books first."""

    books: int = Field(description="Of your library.")
    measured: int = Field(
        description="Fewer than `books` when there was no time for all: ask again, and more are."
    )
    bytes: BytesOut = Field(description="Of all books that are measured.")
    disk_free: int = Field(description="Bytes that are left on the disk of the service.")
    disk_size: int

    @classmethod
    def of(cls, taken: Taken, *, following: str | None) -> StorageOut:
        return cls(
            items=[BookBytesOut.of(record, size) for record, size in taken.items],
            next=following,
            books=taken.books,
            measured=taken.measured,
            bytes=BytesOut.of(taken.whole),
            disk_free=taken.disk.free,
            disk_size=taken.disk.size,
        )
