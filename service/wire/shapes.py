"""Shared models. In the API chapters are counted from 1, and offsets are code points."""

from __future__ import annotations

from typing import Any, Final, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from books.types import Book, Span

T = TypeVar("T")


LOCATOR: Final = "Position in the uploaded file: file and element. Null for plain text."

PRONOUNS: Final = "For example `she/her`; null if the book does not tell."
MENTION_KIND: Final = "`PROP` is a name, `NOM` a noun such as “the old man”, `PRON` a pronoun."
REFERS_SURELY: Final = (
    "Probability that it refers to this character, as in the exports. It is 1 if a reader has said so, "
    "or where the resolver gives none, as `rules` and an imported BookNLP cast."
)
DECISIONS: Final = "Number of corrections in the log of the book then."


def locator_at(book: Book, offset: int) -> str | None:
    paragraph = book.paragraph_at(offset)
    return paragraph.locator if paragraph else None


class Out(BaseModel):
    """The base class of all responses: only declared fields are sent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def like(cls, value: object, **other: Any) -> Self:
        """An answer whose fields are those of a value, except for what is `other`."""
        same = {name: getattr(value, name) for name in cls.model_fields if name not in other}
        return cls.model_validate({**same, **other}, from_attributes=True)


class Copy(Out, Generic[T]):
    """An answer whose fields are those of a value; a field of another name has the value's as its alias."""

    @classmethod
    def of(cls, value: T) -> Self:
        return cls.model_validate(value, from_attributes=True)


class SpanOut(Copy[Span]):
    start: int = Field(ge=0, description="Code-point offset in the text of the book.")
    end: int = Field(ge=0, description="Offset after the last character.")


class Page(Out, Generic[T]):
    items: list[T]
    next: str | None = Field(description="Cursor of the next page; null on the last page.")
