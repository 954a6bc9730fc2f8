"""Appearance and character in phrases of the book."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from generation.story.types import Aspect, Stroke, StrokeKind
from service.wire.answers import CitationOut
from service.wire.shapes import Out


class StrokeOut(Out):
    kind: StrokeKind
    text: str = Field(description="The words of the book: `air was grave and stately`.")
    phrase: str = Field(description="The same without article and verb: `grave and stately air`.")
    aspect: Aspect
    adjectives: list[str] = Field(description="Adjectives with their adverbs: `very formal`.")
    noun: str | None = Field(description="The noun that they describe: `man`, `manners`.")
    denied: bool = Field(description="Whether it is denied: `no turn for economy`.")
    quoted: bool
    speaker: str | None = Field(description="Id of the character who says so, if known.")
    citations: list[CitationOut]

    @classmethod
    def of(cls, stroke: Stroke, *, citations: Sequence[CitationOut]) -> StrokeOut:
        return cls(
            kind=stroke.kind,
            text=stroke.text,
            phrase=stroke.phrase,
            aspect=stroke.aspect,
            adjectives=list(stroke.adjectives),
            noun=stroke.noun,
            denied=stroke.denied,
            quoted=stroke.speaker is not None,
            speaker=stroke.speaker or None,
            citations=list(citations),
        )
