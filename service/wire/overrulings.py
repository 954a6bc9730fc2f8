"""Verdicts that readers have changed."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from db.types import OverrulingRecord
from generation.types import Category, Label
from service.usecases.given_texts import COMMENT_MOST
from service.wire.shapes import Out, Page


class OverrulingIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    label: Label = Field(description="The correct verdict.")
    comment: str | None = Field(
        default=None, description="Why.", json_schema_extra={"maxLength": COMMENT_MOST}
    )


class OverrulingOut(Out):
    fact: str = Field(description="Id of the fact.")
    text: str = Field(description="The claim. The verdict applies to it in every answer.")
    character: str | None = Field(description="Id at that time of the character that the claim is about.")
    category: Category
    judged: Label = Field(description="The verdict of the judge.")
    label: Label = Field(description="The verdict of the reader, which overrides that of the judge.")
    comment: str | None = Field(description="Why, in the words of the reader.")
    by: str | None = Field(description="Name of the API key; null if no key is needed.")
    upto: int | None = Field(
        description="Offset up to which the answer used the book. Readers who have read less do not see it."
    )
    created: datetime
    updated: datetime

    @classmethod
    def of(cls, record: OverrulingRecord) -> OverrulingOut:
        fact = record.fact
        return cls.like(
            record,
            fact=fact.id,
            text=fact.text,
            character=fact.subject,
            category=fact.category,
            judged=fact.label,
            upto=fact.upto,
        )


class OverrulingPage(Page[OverrulingOut]):
    total: int = Field(description="Total number on all pages.")
