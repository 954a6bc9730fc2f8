"""Books in the library."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from db.types import BookRecord, BookState, ReadingOptions
from service.formats import FORMATS, Format
from service.wire.jobs import JobOut
from service.wire.reports import ReportOut
from service.wire.shapes import Copy, Out, Page


class OptionsOut(Copy[ReadingOptions]):
    """Options of the upload. Null means that the value is taken from the file."""

    title: str | None
    author: str | None
    encoding: str | None = Field(description="For example `cp1252`.")
    force: bool = Field(description="Process the book although its language is not supported.")


class BookOut(Out):
    id: str
    title: str | None = Field(
        description="As given with the upload, else as in the file, else made of the file's name. Null until "
        "the book is first processed, if it was not given."
    )
    author: str | None
    language: str | None = Field(
        description="ISO 639-1 code, such as `en`. Null until the book is first processed."
    )
    words: int | None = Field(description="Null until the book is first processed.")
    filename: str | None = Field(description="Name of the uploaded file.")
    size: int = Field(description="Size of the uploaded file in bytes.")
    sha256: str = Field(description="Hash of the uploaded bytes. The same bytes are the same book.")
    state: BookState = Field(
        description="`pending` until it is first processed; `failed` if that failed or was cancelled."
    )
    version: str | None = Field(description="The published version; null until the book is first processed.")
    outdated: bool = Field(
        description="Processing it again may change it: an earlier version or other engines processed it, or "
        "it was given other chapters or options, which a job may be applying."
    )
    options: OptionsOut = Field(description="The options of the upload.")
    report: ReportOut | None = Field(description="How the file was parsed.")
    created: datetime
    updated: datetime

    @classmethod
    def of(cls, book: BookRecord, *, outdated: bool) -> BookOut:
        report = None if book.report is None else ReportOut.of(book.report)
        return cls.like(book, sha256=book.content_sha256, outdated=outdated, report=report)


class BookPage(Page[BookOut]):
    pass


class UploadOut(Out):
    book: BookOut = Field(description="The book, which was there before if `created` is false.")
    job: JobOut | None = Field(description="The job that processes the book.")
    created: bool = Field(description="False if the library already had the same bytes.")


class FormatOut(Copy[Format]):
    name: str
    endings: str = Field(description="Usual file name extensions. The format is detected from the content.")
    gives: str = Field(description="What is read from the format in addition to the text.")


class FormatsOut(Out):
    """Supported formats for uploads."""

    items: list[FormatOut]
    most_bytes: int = Field(description="Maximum size of a file.")

    @classmethod
    def of(cls, *, most_bytes: int) -> FormatsOut:
        return cls(items=[FormatOut.of(f) for f in FORMATS.values()], most_bytes=most_bytes)
