"""Operations: engines, precision, requests, storage."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from db.types import AnswerCounts, BookRecord
from generation.models.openai.local_servers import LocalModel
from generation.models.types import LEAST_CONTEXT
from generation.types import Label
from service.default_generator import DefaultGenerator
from service.health.engine_status import Condition
from service.observability.slowest import RouteTimes, Slow
from service.usecases.precision import History
from service.usecases.storage_use import Bytes, Taken
from service.wire.shapes import Copy, Out, Page


class EngineOut(Out):
    kind: str = Field(description="resolver, embedder, retriever, generator, extractor or judge.")
    name: str = Field(description="Name in the settings.")
    health: Literal["works", "degraded", "missing"] = Field(
        description="missing: requests that need it fail with status 503."
    )
    detail: str = Field(description="Details of the status.")
    remedy: str | None = Field(description="How to fix it; null if it works.")
    in_use: bool = Field(description="False if it is only used when it is requested by name.")
    stands_in: str | None = Field(description="The engine that is used if its result is rejected.")

    @classmethod
    def of(cls, condition: Condition) -> EngineOut:
        check = condition.check
        used, stands_in = condition.in_use, condition.stands_in
        return cls.like(check, kind=check.group, health=check.health.value, in_use=used, stands_in=stands_in)


class EnginesOut(Out):
    items: list[EngineOut]
    looked: datetime = Field(description="When they were checked. The result is cached for some seconds.")


class ModelOut(Out):
    name: str = Field(description="Name by which it is chosen.")
    server: str = Field(description="ollama, lmstudio, llama.cpp, vllm, or configured.")
    model: str = Field(description="Its name on the server.")
    context: int | None = Field(description="Tokens of prompt and answer; null if the server does not tell.")
    remedy: str | None = Field(description="What to do if its context is small.")
    longer_context: int | None = Field(
        description="A `context` that it can be chosen with, if its own is small; null if there is none."
    )
    in_use: bool = Field(description="Whether it writes answers if none is requested.")


class ModelsOut(Out):
    generator: str = Field(description="The engine that writes answers if none is requested.")
    model: str | None = Field(description="Its model on the server; null for others.")
    reason: Literal["settings", "chosen", "found", "nothing"] = Field(
        description="Why: by the settings, chosen here, found on this machine, or for want of a model."
    )
    fixed: bool = Field(description="Whether `BOOKWORM_GENERATOR` decides, so that none can be chosen here.")
    others: list[str] = Field(description="Engines without a server that can be chosen.")
    items: list[ModelOut]

    @classmethod
    def of(
        cls, default: DefaultGenerator, listed: list[LocalModel], *, fixed: bool, offered: list[str]
    ) -> ModelsOut:
        return cls(
            generator=default.name,
            model=default.model,
            reason=default.reason.value,
            fixed=fixed,
            others=[name for name in (*offered, "offline") if name != "openai"],
            items=[ModelOut.like(each, in_use=default.uses(each)) for each in listed],
        )


class ModelIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(max_length=300, description="A model's name, `offline`, `llama`, or null.")
    context: int | None = Field(
        default=None,
        ge=LEAST_CONTEXT,
        description="For models of Ollama: the context in tokens. By default as it is.",
    )


class ModelTrialIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=300, description="A model's name.")


class TrialOut(Out):
    text: str = Field(description="The sentence that the model wrote.")
    seconds: float = Field(description="Time until the sentence was there, with loading the model.")


class VerdictsOut(Out):
    """Number of facts by verdict of the judge."""

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
    generator: str = Field(description="Engine that wrote the answers, with its version.")
    judge: str = Field(description="Engine that checked them, with its version.")
    answers: int = Field(
        description="Answers are counted when they are generated, not when they are shown again."
    )
    facts: int = Field(description="Number of facts in these answers.")
    verdicts: VerdictsOut = Field(description="The same by verdict.")
    precision: float | None = Field(
        description="Share of the facts that the book supports; null if there are no facts."
    )

    @classmethod
    def of(cls, counts: AnswerCounts) -> DayOut:
        facts = sum(counts.facts.values())
        precision = counts.facts[Label.SUPPORTED] / facts if facts else None
        return cls.like(counts, facts=facts, verdicts=VerdictsOut.of(counts.facts), precision=precision)


class PrecisionOut(Out):
    since: date = Field(description="The first day, in UTC.")
    until: date = Field(description="Today, in UTC.")
    items: list[DayOut] = Field(description="Oldest first. Days without answers are omitted.")

    @classmethod
    def of(cls, history: History) -> PrecisionOut:
        return cls.like(history, items=[DayOut.of(counts) for counts in history.days])


class RequestOut(Out):
    at: datetime = Field(description="When the request ended.")
    method: str
    route: str = Field(description="Template of the URL.")
    status: int = Field(description="0 if the client disconnected before the response started.")
    ms: float = Field(description="Milliseconds until the end of the response.")
    request_id: str = Field(description="The id in `X-Request-ID` and in the log.")

    @classmethod
    def of(cls, slow: Slow) -> RequestOut:
        return cls.like(slow, ms=round(slow.seconds * 1000, 1))


class RouteOut(Out):
    method: str
    route: str = Field(description="Template of the URL.")
    count: int
    median_ms: float = Field(description="Median of the last 200 requests.")
    p95_ms: float = Field(description="95th percentile of the last 200 requests.")

    @classmethod
    def of(cls, times: RouteTimes) -> RouteOut:
        median, p95 = round(times.median * 1000, 2), round(times.p95 * 1000, 2)
        return cls.like(times, median_ms=median, p95_ms=p95)


class RequestsOut(Out):
    """The requests to this process. Other processes have their own records."""

    slowest: list[RequestOut] = Field(
        description="Requests of the last hour, slowest first: those with keys of your library, and "
        "those without a key. Event streams are omitted."
    )
    seconds: float = Field(description="Period of `slowest`, in seconds.")
    routes: list[RouteOut] = Field(
        description="All requests of all libraries since the process started, by route, highest total first."
    )


class BytesOut(Copy[Bytes]):
    source: int = Field(description="The uploaded file.")
    reading: int = Field(description="The processed book: text, chapters, characters, mentions.")
    index: int = Field(description="The search index.")
    other: int = Field(description="Old versions and unfinished work, which are deleted automatically.")
    total: int


class BookBytesOut(Out):
    book: str = Field(description="The book's id.")
    title: str | None
    filename: str | None
    bytes: BytesOut = Field(description="What it takes on the disk, in bytes.")

    @classmethod
    def of(cls, record: BookRecord, taken: Bytes) -> BookBytesOut:
        return cls.like(record, book=record.id, bytes=taken)


class StorageOut(Page[BookBytesOut]):
    """Storage of the books, largest first."""

    books: int = Field(description="Number of books in your library.")
    measured: int = Field(
        description="Fewer than `books` if there was no time to measure all. Repeat the request for more."
    )
    bytes: BytesOut = Field(description="Total of all measured books.")
    disk_free: int = Field(description="Free bytes on the disk of the service.")
    disk_size: int = Field(description="Size of that disk, in bytes.")

    @classmethod
    def of(cls, taken: Taken, *, following: str | None) -> StorageOut:
        return cls.like(
            taken,
            items=[BookBytesOut.of(record, size) for record, size in taken.items],
            next=following,
            bytes=taken.whole,
            disk_free=taken.disk.free,
            disk_size=taken.disk.size,
        )
