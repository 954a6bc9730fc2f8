"""Reference texts of characters."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from generation.types import Task
from service.usecases.given_texts import SOURCE_MOST, TEXT_MOST
from service.usecases.references import Kept
from service.wire.shapes import Out

OfOne = Literal[Task.DESCRIPTION, Task.ANALYSIS]


class ReferenceIn(BaseModel):
    """A text that you hold to be right about a character."""

    model_config = ConfigDict(extra="forbid")

    task: OfOne = Field(default=Task.DESCRIPTION, description="Which answers it is compared with.")
    text: str = Field(
        min_length=1,
        description="Plain text; control characters are taken out.",
        json_schema_extra={"maxLength": TEXT_MOST},
    )
    source: str = Field(
        min_length=1,
        description="Who wrote it, or where it is from.",
        json_schema_extra={"maxLength": SOURCE_MOST},
    )


class ReferenceOut(Out):
    character: str | None = Field(description="Whom it is about, by id; null when nobody has that id now.")
    name: str = Field(description="What the character was called when it was given.")
    task: Task
    source: str
    text: str
    counts: bool = Field(
        description="Whether answers are compared with it: of several about one character, one counts."
    )
    updated: datetime

    @classmethod
    def of(cls, kept: Kept) -> ReferenceOut:
        record = kept.record
        return cls(
            character=kept.character,
            name=record.name,
            task=record.task,
            source=record.source,
            text=record.text,
            counts=kept.counts,
            updated=record.updated,
        )


class ReferencesOut(Out):
    items: list[ReferenceOut] = Field(description="The newest first.")
