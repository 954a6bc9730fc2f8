"""The preview of a correction."""

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


class BearerOut(NamedOut):
    mention_count: int = Field(description="Mentions up to `upto`.")


class PlaceOut(Copy[Place]):
    """Some words with their context, on one line. `…` marks omitted text."""

    span: SpanOut
    chapter: int | None = Field(description="Counted from 1.")
    before: str
    text: str = Field(validation_alias="words")
    after: str


class CountedOut(Copy[CharacterCount]):
    name: str
    mention_count: int = Field(validation_alias="mentions")
    quotes: int = Field(description="Number of quotes they speak.")


class PersonChangeOut(Copy[CharacterChange]):
    id: str
    before: CountedOut | None = Field(description="Null for a new character.")
    after: CountedOut | None = Field(description="Null for a character that is removed.")


class HandedOut(Out):
    place: PlaceOut = Field(description="The words, with what stands around them.")
    quote: bool = Field(description="Whether it is a quote, whose speaker changes; otherwise a mention.")
    was: NamedOut | None = Field(description="The previous character or speaker; null if unknown.")
    becomes: NamedOut | None = Field(description="The new character or speaker; null for nobody.")

    @classmethod
    def of(cls, handed: ReassignedSpan, place: Place) -> HandedOut:
        return cls.like(handed, place=place)


class PairOut(Out):
    one: NamedOut
    other: NamedOut

    @classmethod
    def of(cls, pair: tuple[Character, Character]) -> PairOut:
        one, other = map(NamedOut.of, pair)
        return cls(one=one, other=other)


class PreviewOut(Out):
    mentions: int = Field(description="Number of mentions that would refer to another character.")
    quotes: int = Field(description="Number of quotes that would have another speaker.")
    people: list[PersonChangeOut] = Field(
        description="Characters that would be added, removed, renamed, or have other mentions or quotes."
    )
    places: list[HandedOut] = Field(
        description="Some of the mentions and quotes that would be moved, in story order."
    )
    narrator_before: NamedOut | None = Field(
        description="The “I” outside quotes now; null if nobody is known to be."
    )
    narrator_after: NamedOut | None = Field(description="The “I” outside quotes after the correction.")
    doubts_gone: list[PairOut] = Field(description="Possible duplicates that would be resolved.")
    doubts_back: list[PairOut] = Field(description="Possible duplicates that would be open again.")
    namesakes: list[BearerOut] = Field(
        description="Others whose name or alias is the new name of the character that is renamed or added."
    )
    without_effect: list[int] = Field(
        description="Numbers of earlier corrections that an undo would leave without effect."
    )
    answers: int = Field(
        description="Number of stored answers about the book. After a correction each is generated again "
        "when it is next requested."
    )

    @classmethod
    def of(cls, preview: Preview) -> PreviewOut:
        found = preview.changes
        return cls.like(
            found,
            places=[HandedOut.of(handed, place) for handed, place in preview.examples],
            doubts_gone=[PairOut.of(pair) for pair in found.doubts_gone],
            doubts_back=[PairOut.of(pair) for pair in found.doubts_back],
            namesakes=preview.namesakes,
            without_effect=preview.without_effect,
            answers=preview.answers,
        )
