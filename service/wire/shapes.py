"""Shared shapes. In the API chapters are counted from 1, as readers do; offsets are code points."""

from __future__ import annotations

from typing import Final, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from books.types import Book, Span

T = TypeVar("T")


LOCATOR: Final = "Where in the uploaded file it stands: file and element. Null for plain text."


def locator_at(book: Book, offset: int) -> str | None:
    paragraph = book.paragraph_at(offset)
    return paragraph.locator if paragraph else None


class Out(BaseModel):
    """The base of all answers: what is not declared does not get out."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Copy(Out, Generic[T]):
    """An answer whose fields are those of a value; a field of another name has the value's as its alias."""

    @classmethod
    def of(cls, value: T) -> Self:
        return cls.model_validate(value, from_attributes=True)


class SpanOut(Copy[Span]):
    start: int = Field(ge=0, description="Code-point offset into the book's text.")
    end: int = Field(ge=0, description="Half-open: the offset after the last character.")


class Page(Out, Generic[T]):
    items: list[T]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")
