"""Books on the shelf."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from db.types import BookRecord, BookState, ReadingOptions
from service.formats import FORMATS
from service.wire.jobs import JobOut
from service.wire.reports import ReportOut
from service.wire.shapes import Copy, Out, Page


class OptionsOut(Copy[ReadingOptions]):
    """Null: the file itself tells."""

    title: str | None
    author: str | None
    encoding: str | None
    force: bool = Field(description="Read it even if its language is not understood.")


class BookOut(Out):
    id: str
    title: str | None
    author: str | None
    language: str | None
    words: int | None
    filename: str | None
    size: int = Field(description="Bytes of the uploaded file.")
    sha256: str = Field(description="Of the uploaded bytes: the same bytes are the same book.")
    state: BookState
    version: str | None = Field(description="The published version; null until the first reading ends.")
    options: OptionsOut = Field(description="What was said of the file by whoever uploaded it.")
    report: ReportOut | None = Field(description="What the reader understood of the file.")
    created: datetime
    updated: datetime

    @classmethod
    def of(cls, book: BookRecord) -> BookOut:
        return cls(
            id=book.id,
            title=book.title,
            author=book.author,
            language=book.language,
            words=book.words,
            filename=book.filename,
            size=book.size,
            sha256=book.content_sha256,
            state=book.state,
            version=book.version,
            options=OptionsOut.of(book.options),
            report=None if book.report is None else ReportOut.of(book.report),
            created=book.created,
            updated=book.updated,
        )


class BookPage(Page[BookOut]):
    pass


class UploadOut(Out):
    book: BookOut
    job: JobOut | None = Field(description="The job that reads the book.")
    created: bool = Field(description="False when the library had the same bytes already.")


class FormatOut(Out):
    name: str
    endings: str = Field(description="Of files as they usually are; nothing is decided by them.")
    gives: str = Field(description="What the format says of a book, beside its words.")


class FormatsOut(Out):
    """What may be uploaded."""

    items: list[FormatOut]
    most_bytes: int = Field(description="The largest file that is taken.")

    @classmethod
    def of(cls, *, most_bytes: int) -> FormatsOut:
        items = [FormatOut(name=f.name, endings=f.endings, gives=f.gives) for f in FORMATS.values()]
        return cls(items=items, most_bytes=most_bytes)
