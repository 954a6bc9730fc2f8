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
    """A reference text about a character."""

    model_config = ConfigDict(extra="forbid")

    task: OfOne = Field(default=Task.DESCRIPTION, description="Task whose answers are compared with it.")
    text: str = Field(
        min_length=1,
        description="Plain text. Control characters are removed.",
        json_schema_extra={"maxLength": TEXT_MOST},
    )
    source: str = Field(
        min_length=1,
        description="Author or source of the text.",
        json_schema_extra={"maxLength": SOURCE_MOST},
    )


class ReferenceOut(Out):
    character: str | None = Field(
        description="Id of the character; null if no character has that id any more."
    )
    name: str = Field(description="Name of the character when the text was stored.")
    task: Task = Field(description="Task whose answers are compared with it.")
    source: str = Field(description="Author or source of the text.")
    text: str
    counts: bool = Field(
        description="Whether answers are compared with it. Only one text per character is used."
    )
    updated: datetime

    @classmethod
    def of(cls, kept: Kept) -> ReferenceOut:
        return cls.like(kept.record, character=kept.character, counts=kept.counts)


class ReferencesOut(Out):
    items: list[ReferenceOut] = Field(description="Newest first.")
