"""Errors that people see, and the base that every other room's errors share.

An error has a word for a code, a sentence that says what is wrong, and a remedy. It knows nothing of HTTP:
`service/problems.py` holds the one table that gives each class its status.
"""

from __future__ import annotations

from typing import ClassVar


class BookwormError(Exception):
    """Anything that is expected to go wrong and that the person at the other end can act on."""

    code: ClassVar[str] = "bookworm_error"
    remedy: ClassVar[str] = "Run `bookworm doctor` to see what is missing."
    retryable: ClassVar[bool] = False
    """Whether the same call may succeed later with nothing changed by the caller."""

    def __init__(self, detail: str, *, remedy: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.advice = remedy or self.remedy

    def __str__(self) -> str:
        return f"{self.detail} {self.advice}"


class EmptyBook(BookwormError):
    code = "empty_book"
    remedy = "Upload a file that holds the text of a book."


class NotText(BookwormError):
    code = "not_text"
    remedy = "Convert the book to plain text in UTF-8 and upload that."


class UnsupportedFormat(BookwormError):
    code = "unsupported_format"
    remedy = "Convert the book to plain text in UTF-8 and upload that."


class BookTooLarge(BookwormError):
    code = "book_too_large"
    remedy = "Upload a smaller file, or ask whoever runs the service to raise the limit."
