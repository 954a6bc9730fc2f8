"""Errors that people see, and the base class that the errors of all packages share.

An error has a code, a sentence that says what is wrong, and a remedy. It knows nothing of HTTP:
`service/problems.py` holds the one table that gives each class its status.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

E = TypeVar("E", bound="BookwormError")


@dataclass(frozen=True, slots=True)
class Wording:
    """What is wrong, in a sentence, and what to do about it."""

    detail: str
    remedy: str


class BookwormError(Exception):
    """An expected failure that the caller can act on.

    `detail` and `advice` are for everybody. What only those who run the service may read, such as the address
    of another server and what that answered, is in `in_full` and nowhere else.
    """

    code: ClassVar[str] = "bookworm_error"
    remedy: ClassVar[str] = "Run `bookworm doctor` to see what is missing."
    retryable: ClassVar[bool] = False
    """Whether the same call may succeed later without any change by the caller."""

    def __init__(
        self,
        detail: str,
        *,
        remedy: str | None = None,
        job: str | None = None,
        in_full: Wording | None = None,
    ) -> None:
        """`job`: the id of the job that it is about. `in_full`: the same for those who run the service."""
        super().__init__(detail)
        self.detail = detail
        self.advice = remedy or self.remedy
        self.job = job
        self.in_full = in_full

    def wording(self, *, candid: bool) -> Wording:
        """Return what is said to those who run the service, if `candid`, or to everybody."""
        return (self.in_full if candid else None) or Wording(self.detail, self.advice)

    def led_to(self, kind: type[E], words: str) -> E:
        """Return the error that came of this one, behind words that say so."""
        full = self.in_full and Wording(f"{words} {self.in_full.detail}", self.in_full.remedy)
        return kind(f"{words} {self.detail}", remedy=self.advice, job=self.job, in_full=full)

    def __str__(self) -> str:
        return f"{self.detail} {self.advice}"


class EngineUnavailable(BookwormError):
    """An engine, or its model, is not set up as it should be. Only those who run the service can mend that.

    So only they are told what it lacks, which may name folders, settings and packages.
    """

    plain: ClassVar[str]
    """What everybody is told."""
    plain_remedy: ClassVar[str] = "Ask whoever runs this service."

    def __init__(self, lacks: str, *, remedy: str | None = None, plain: str | None = None) -> None:
        in_full = Wording(lacks, remedy or self.remedy)
        super().__init__(plain or self.plain, remedy=self.plain_remedy, in_full=in_full)


class EmptyBook(BookwormError):
    code = "empty_book"
    remedy = "Choose a file that holds the text of a book."


class NotText(BookwormError):
    code = "not_text"
    remedy = "Convert the book to plain text in UTF-8, or name its encoding (`auto` detects it)."


class EncodingUnknown(BookwormError):
    code = "encoding_unknown"
    remedy = "Name one that Python knows, such as utf-8, cp1252, gb18030, big5 or shift_jis."


class UnsupportedFormat(BookwormError):
    code = "unsupported_format"
    remedy = "Convert the book to EPUB (Calibre does it), or save it as Word (.docx) or as text in UTF-8."


class UnsupportedLanguage(BookwormError):
    code = "unsupported_language"
    remedy = "English and Chinese are supported; to read the book anyway, pass `force` (`--force`)."


class BookTooLarge(BookwormError):
    code = "book_too_large"
    remedy = "Choose a smaller file, or ask whoever runs the service to raise the limit."


class FileDamaged(BookwormError):
    code = "file_damaged"
    remedy = "Download the file again, or convert it again, and check that it opens in another program."


class FileHostile(BookwormError):
    """The file was made to do harm, or is so odd that it is treated the same."""

    code = "file_hostile"
    remedy = "If you trust its source, convert it to plain text in UTF-8."


class FileLocked(BookwormError):
    """The file is encrypted or under digital rights management."""

    code = "file_locked"
    remedy = "Choose a copy without copy protection."


class ChaptersInvalid(BookwormError):
    code = "chapters_invalid"
    remedy = "Give each chapter a title and the offset of a line's first character, in the story's order."
