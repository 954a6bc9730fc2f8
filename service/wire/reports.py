"""The import report: what the reader understood of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from service.wire.shapes import Out


class CutOut(Out):
    part: str = Field(description="`front`, `back` or `apparatus`.")
    reason: str
    places: int = Field(description="In how many places of the text.")
    share: float = Field(ge=0, le=1, description="Of the whole text.")


class ReportOut(Out):
    """Books that were read by an older Bookworm have only some of it."""

    format: str = Field(description="What the file is, by its content.")
    encoding: str
    encoding_by: str | None = Field(description="How the encoding was chosen.")
    language: str = Field(description="ISO 639-1.")
    title: str | None
    author: str | None
    chapters: int | None
    chapters_by: str = Field(
        description="How the chapters were found: by `contents`, `headings`, `acts`, a `reader`, or `none`."
    )
    paragraphs: int | None
    words: int | None
    play: bool = Field(description="Whether it is a play: acts, speeches, directions.")
    cut: list[CutOut] = Field(description="What is kept in the text but is not the story.")
    warnings: list[str] = Field(description="What to look at before the book is trusted.")

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> ReportOut:
        """From `books.report.tell`, today's or that of an older version."""
        return cls(
            format=report["format"],
            encoding=report["encoding"],
            encoding_by=report.get("encoding_by"),
            language=report["language"],
            title=report.get("title"),
            author=report.get("author"),
            chapters=report.get("chapters"),
            chapters_by=report["chapters_by"],
            paragraphs=report.get("paragraphs"),
            words=report.get("words"),
            play=report.get("play", False),
            cut=[
                CutOut(**{name: one[name] for name in CutOut.model_fields}) for one in report.get("cut", ())
            ],
            warnings=list(report.get("warnings", ())),
        )
