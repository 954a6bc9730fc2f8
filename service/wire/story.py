"""The timeline of a book."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from books.types import Book
from coref.types import Character
from service.usecases.timeline import ChapterEvent
from service.wire.answers import CitationOut, PersonOut
from service.wire.shapes import Out


class ChapterEventOut(Out):
    chapter: int = Field(description="Counted from 1.")
    title: str
    percent: int | None = Field(
        description="How far into the book that is; null unless the chapter, a very long one, has several."
    )
    text: str = Field(description="The book's own words. Names in brackets follow pronouns.")
    citation: CitationOut = Field(description="Where the book tells it.")
    people: list[PersonOut] = Field(description="The characters in that sentence.")


class TimelineOut(Out):
    items: list[ChapterEventOut] = Field(
        description="In story order, one for each chapter that has prose, or for about"
        " each 4,000 words of a chapter of more than 12,000."
    )

    @classmethod
    def of(
        cls, events: Sequence[ChapterEvent], *, book: Book, name_of: Callable[[str], Character | None]
    ) -> TimelineOut:
        def people(event: ChapterEvent) -> list[PersonOut]:
            met = (name_of(who) for who in event.sentence.characters)
            return [PersonOut.of(person) for person in met if person is not None]

        return cls(
            items=[
                ChapterEventOut(
                    chapter=event.chapter.number,
                    title=event.chapter.title,
                    percent=event.percent,
                    text=event.sentence.text,
                    citation=CitationOut.of(event.sentence.citations[0], book=book),
                    people=people(event),
                )
                for event in events
            ]
        )
