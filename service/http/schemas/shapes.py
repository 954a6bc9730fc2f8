"""Shared shapes. In the API chapters are counted from 1, as readers do; offsets are code points."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class Out(BaseModel):
    """The base of all answers: what is not declared does not get out."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SpanOut(Out):
    start: int = Field(ge=0, description="Code-point offset into the book's text.")
    end: int = Field(ge=0, description="Half-open: the offset after the last character.")


class Page(Out, Generic[T]):
    items: list[T]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")
