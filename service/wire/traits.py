"""What a character is like: what they do, undergo, are and have, and whose kin and friend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from books.types import Book
from coref.traits.summary import ToldTrait, TraitSummary
from coref.types import Tense, Trait, TraitKind
from service.wire.shapes import Out, SpanOut


@dataclass(frozen=True, slots=True)
class Most:
    """How much is told."""

    things: int
    """Of each kind."""
    places: int
    """Of each thing."""


class TraitPlaceOut(Out):
    span: SpanOut
    text: str = Field(description="The book's own words at `span`.")
    chapter: int | None = Field(description="Counted from 1.")
    other: str | None = Field(description="The id of the character at the other end: whom refused.")
    negated: bool = Field(description="It is denied: never refused.")
    modal: str | None = Field(
        description=(
            "Why it may not be so: `could`, `if`, `try`, `think`…; `?` it is asked, `!` it is ordered, "
            "`to` it is a purpose."
        )
    )
    tense: Tense | None
    quoted: bool = Field(description="Somebody says it; the book itself does not.")

    @classmethod
    def of(cls, trait: Trait, *, book: Book) -> TraitPlaceOut:
        chapter = book.chapter_at(trait.span.start)
        return cls(
            span=SpanOut.of(trait.span),
            text=book.slice(trait.span),
            chapter=chapter.number if chapter else None,
            other=trait.other,
            negated=trait.negated,
            modal=trait.modal,
            tense=trait.tense,
            quoted=trait.quoted,
        )


class ToldOut(Out):
    kind: TraitKind
    lemma: str = Field(description="The word in its plainest form: `refuse`, `proud`, `eye`, `sister`.")
    other: str | None = Field(description="Of kin and other ties, the id of whose sister or friend it is.")
    count: int
    quoted: int = Field(description="How often of these somebody says it, and not the book itself.")
    weight: float = Field(
        description="How far it is more the character's than the others'; 2 and more sets them apart."
    )
    chapters: list[int] = Field(description="All in which it is said, counted from 1.")
    places: list[TraitPlaceOut] = Field(description="The first of them.")

    @classmethod
    def of(cls, told: ToldTrait, kind: TraitKind, *, book: Book, most: Most) -> ToldOut:
        return cls(
            kind=kind,
            lemma=told.lemma,
            other=told.other,
            count=told.count,
            quoted=told.quoted,
            weight=told.weight,
            chapters=list(told.chapters),
            places=[TraitPlaceOut.of(t, book=book) for t in told.traits[: most.places]],
        )


class TraitsOut(Out):
    character: str = Field(description="The character's id.")
    said: list[ToldOut] = Field(description="What is so: kind by kind, the most telling first.")
    denied: list[ToldOut] = Field(description="What is not so.")
    possible: list[ToldOut] = Field(description="What may be so: it is tried, thought, asked, feared.")

    @classmethod
    def of(cls, summary: TraitSummary, *, book: Book, most: Most) -> TraitsOut:
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
        )
