"""What a character looks and is like, in phrases of the book."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from generation.story.types import Aspect, Stroke, StrokeKind
from service.wire.answers import CitationOut
from service.wire.shapes import Out


class StrokeOut(Out):
    kind: StrokeKind
    text: str = Field(description="As the book has it: `air was grave and stately`.")
    phrase: str = Field(description="The same without article and verb: `grave and stately air`.")
    aspect: Aspect
    adjectives: list[str] = Field(description="Each with its adverb: `very formal`.")
    noun: str | None = Field(description="What they are said of: `man`, `manners`.")
    denied: bool = Field(description="They are not so, or lack it: `no turn for economy`.")
    quoted: bool
    speaker: str | None = Field(description="The id of whoever says so, if that is known.")
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
