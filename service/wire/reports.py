"""The import report: how a file was parsed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from service.wire.shapes import Out


class CutOut(Out):
    part: str = Field(description="`front`, `back` or `apparatus`.")
    reason: str = Field(description="Why it is not part of the story.")
    places: int = Field(description="Number of places in the text.")
    share: float = Field(ge=0, le=1, description="Share of the whole text.")


class ReportOut(Out):
    """The import report. Books that were processed by an older version have only some of the fields."""

    format: str = Field(description="Format of the file, detected from its content.")
    encoding: str = Field(description="The character encoding that it was read with.")
    encoding_by: str | None = Field(description="How the encoding was detected.")
    language: str = Field(description="ISO 639-1 code.")
    title: str | None
    author: str | None
    chapters: int | None
    chapters_by: str = Field(
        description="Source of the chapters: `contents`, `headings`, `acts`, `reader` (corrected) or `none`."
    )
    paragraphs: int | None
    words: int | None
    play: bool = Field(description="Whether it is a play with acts, speeches and stage directions.")
    cut: list[CutOut] = Field(description="Parts of the text that are not part of the story.")
    warnings: list[str] = Field(description="Possible problems to check.")

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> ReportOut:
        """Converts the output of `books.report.tell`, also from older versions."""
        cut = [CutOut(**{name: one[name] for name in CutOut.model_fields}) for one in report.get("cut", ())]
        since_then = {"play": report.get("play", False), "warnings": report.get("warnings", ()), "cut": cut}
        return cls(**{name: report.get(name) for name in cls.model_fields} | since_then)
