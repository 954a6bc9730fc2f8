"""Verdicts that readers overrule."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from db.types import OverrulingRecord
from generation.types import Category, Label
from service.usecases.given_texts import COMMENT_MOST
from service.wire.shapes import Out, Page


class OverrulingIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    label: Label = Field(description="What is so.")
    comment: str | None = Field(
        default=None, description="Why.", json_schema_extra={"maxLength": COMMENT_MOST}
    )


class OverrulingOut(Out):
    fact: str = Field(description="The fact's id.")
    text: str = Field(description="The claim, which it holds for in every answer.")
    character: str | None = Field(description="Whom the claim is about, by the id of then.")
    category: Category
    judged: Label = Field(description="What the judge had said.")
    label: Label = Field(description="What the reader says, which counts.")
    comment: str | None
    by: str | None = Field(description="The name of the key; null where no key is needed.")
    upto: int | None = Field(
        description="The gate, as an offset, of the answer it was said of: who has read less does not see it."
    )
    created: datetime
    updated: datetime

    @classmethod
    def of(cls, record: OverrulingRecord) -> OverrulingOut:
        fact = record.fact
        return cls(
            fact=fact.id,
            text=fact.text,
            character=fact.subject,
            category=fact.category,
            judged=fact.label,
            label=record.label,
            comment=record.comment,
            by=record.by,
            upto=fact.upto,
            created=record.created,
            updated=record.updated,
        )


class OverrulingPage(Page[OverrulingOut]):
    total: int = Field(description="How many there are on all pages.")
