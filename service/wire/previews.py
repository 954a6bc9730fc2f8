"""What a correction would change, before it is made."""

from __future__ import annotations

from pydantic import Field

from coref.decisions.changes import CharacterChange, CharacterCount, ReassignedSpan
from coref.types import Character
from service.usecases.decisions import Preview
from service.usecases.places import Place
from service.wire.shapes import Copy, Out, SpanOut


class NamedOut(Copy[Character]):
    id: str
    name: str


class PlaceOut(Copy[Place]):
    """The words, and a little of what stands around them, on one line; `…` stands for what was left out."""

    span: SpanOut
    chapter: int | None = Field(description="Counted from 1.")
    before: str
    text: str = Field(validation_alias="words")
    after: str


class CountedOut(Copy[CharacterCount]):
    name: str
    mention_count: int = Field(validation_alias="mentions")
    quotes: int = Field(description="How many they speak.")


class PersonChangeOut(Copy[CharacterChange]):
    id: str
    before: CountedOut | None = Field(description="Null for who is new.")
    after: CountedOut | None = Field(description="Null for who is gone.")


class HandedOut(Out):
    place: PlaceOut
    quote: bool = Field(description="Whether it is a quote, which changes speakers; else a mention.")
    was: NamedOut | None = Field(description="Who was meant or spoke; null for nobody known.")
    becomes: NamedOut | None

    @classmethod
    def of(cls, handed: ReassignedSpan, place: Place) -> HandedOut:
        was, becomes = (c and NamedOut.of(c) for c in (handed.was, handed.becomes))
        return cls(place=PlaceOut.of(place), quote=handed.quote, was=was, becomes=becomes)


class PairOut(Out):
    one: NamedOut
    other: NamedOut

    @classmethod
    def of(cls, pair: tuple[Character, Character]) -> PairOut:
        return cls(one=NamedOut.of(pair[0]), other=NamedOut.of(pair[1]))


class PreviewOut(Out):
    mentions: int = Field(description="How many mentions would mean somebody else.")
    quotes: int = Field(description="How many quotes would have another speaker.")
    people: list[PersonChangeOut] = Field(
        description="Who would appear, vanish, be renamed, or have other mentions or quotes."
    )
    places: list[HandedOut] = Field(
        description="Some of the mentions and quotes that would change hands, as the story goes."
    )
    narrator_before: NamedOut | None
    narrator_after: NamedOut | None
    doubts_gone: list[PairOut] = Field(description="Doubts that would be settled.")
    doubts_back: list[PairOut] = Field(description="Doubts that would be open again.")
    answers: int = Field(
        description="Answers that are kept of the book as it stands. After any decision each is written anew "
        "when it is asked for next."
    )

    @classmethod
    def of(cls, preview: Preview) -> PreviewOut:
        found = preview.changes
        before, after = (c and NamedOut.of(c) for c in (found.narrator_before, found.narrator_after))
        return cls(
            mentions=found.mentions,
            quotes=found.quotes,
            people=[PersonChangeOut.of(p) for p in found.people],
            places=[HandedOut.of(handed, place) for handed, place in preview.examples],
            narrator_before=before,
            narrator_after=after,
            doubts_gone=[PairOut.of(pair) for pair in found.doubts_gone],
            doubts_back=[PairOut.of(pair) for pair in found.doubts_back],
            answers=preview.answers,
        )
