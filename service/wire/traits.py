"""Traits of a character: what they do, undergo, are and have, and their relations to others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from books.types import Book
from coref.traits.summary import ToldTrait, TraitSummary
from coref.types import Tense, Trait, TraitKind
from service.wire.shapes import Out, SpanOut


@dataclass(frozen=True, slots=True)
class Most:
    """Size limits of the response."""

    things: int
    """Maximum number of traits of each kind."""
    places: int
    """Maximum number of places per trait."""


class TraitPlaceOut(Out):
    span: SpanOut = Field(description="The words of the trait only: `refused`, `very proud`.")
    text: str = Field(description="The text of the book at `span`.")
    chapter: int | None = Field(description="Counted from 1.")
    other: str | None = Field(description="Id of the other character, for example the one who is refused.")
    negated: bool = Field(description="Whether it is negated: never refused.")
    modal: str | None = Field(
        description=(
            "Word that makes it uncertain: `could`, `if`, `try`, `think`…; `?` for a question, `!` for an "
            "order, `to` for a purpose."
        )
    )
    tense: Tense | None = Field(description="Of the verb; null if none was found.")
    quoted: bool = Field(description="Whether a character says so, and not the narration.")

    @classmethod
    def of(cls, trait: Trait, *, book: Book) -> TraitPlaceOut:
        chapter = book.chapter_at(trait.span.start)
        number = chapter.number if chapter else None
        return cls.like(trait, text=book.slice(trait.span), chapter=number)


class ToldOut(Out):
    kind: TraitKind = Field(
        description="`does` and `undergoes` are verbs, `is` what describes the character, `has` what belongs "
        "to them, `kin` and `social` relations to `other`."
    )
    lemma: str = Field(description="The lemma of the word: `refuse`, `proud`, `eye`, `sister`.")
    other: str | None = Field(description="For relationships, the id of the other character.")
    count: int = Field(description="How often the book says so.")
    quoted: int = Field(description="How often a character says it, and not the narration.")
    weight: float = Field(
        description="How distinctive it is compared with other characters; 2 or more is distinctive."
    )
    chapters: list[int] = Field(description="All chapters that say so, counted from 1.")
    places: list[TraitPlaceOut] = Field(description="The first places.")

    @classmethod
    def of(cls, told: ToldTrait, kind: TraitKind, *, book: Book, most: Most) -> ToldOut:
        places = [TraitPlaceOut.of(t, book=book) for t in told.traits[: most.places]]
        return cls.like(told, kind=kind, places=places)


class TraitsOut(Out):
    character: str = Field(description="Id of the character.")
    said: list[ToldOut] = Field(description="Stated traits by kind, most distinctive first.")
    denied: list[ToldOut] = Field(description="Denied traits.")
    possible: list[ToldOut] = Field(description="Possible traits: tried, thought, asked, feared.")
    remarks: list[str] = Field(description="That traits are not read in the language of the book.")

    @classmethod
    def of(cls, summary: TraitSummary, *, book: Book, most: Most, remarks: Sequence[str]) -> TraitsOut:
        def listed(part: Mapping[TraitKind, tuple[ToldTrait, ...]]) -> list[ToldOut]:
            return [
                ToldOut.of(told, kind, book=book, most=most)
                for kind, things in part.items()
                for told in things[: most.things]
            ]

        return cls(
            character=summary.character,
            said=listed(summary.said),
            denied=listed(summary.denied),
            possible=listed(summary.possible),
            remarks=list(remarks),
        )
