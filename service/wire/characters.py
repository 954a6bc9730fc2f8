"""Characters and their mentions."""

from __future__ import annotations

from pydantic import Field

from books.types import Book
from coref.types import Alias, CharacterKind, Mention, MentionKind, Merge
from db.types import CharacterRecord
from service.usecases.characters import Presence
from service.wire.passages import TitleOut
from service.wire.shapes import MENTION_KIND, PRONOUNS, REFERS_SURELY, Copy, Out, Page, SpanOut


class AliasOut(Copy[Alias]):
    text: str = Field(description="The name, as the book or a reader spells it.")
    count: int = Field(description="Number of mentions by this name; 0 if only a reader gave it.")
    first: int = Field(
        description="Offset of its first use, or of the first mention if only a reader gave it."
    )


class MergeOut(Copy[Merge]):
    name: str = Field(description="One name of the character.")
    other: str = Field(description="Another name of the same character, by this evidence.")
    confidence: float = Field(description="Confidence, from 0 to 1.")
    evidence: str = Field(description="Why the two names mean one person, as part of a sentence.")


class CharacterOut(Out):
    id: str = Field(
        description="Made from what they are called first, so it stays the same when the same text is "
        "processed again. Unique in its book only."
    )
    name: str = Field(description="The name to show. A reader may have changed it.")
    kind: CharacterKind
    pronouns: str | None = Field(description=PRONOUNS)
    aliases: list[AliasOut] = Field(description="Aliases, most frequent first.")
    mention_count: int = Field(
        description="Number of names, nouns and pronouns that mean the character, up to `upto`."
    )
    first: int = Field(description="Offset of the first mention.")
    first_chapter: int = Field(description="The chapter of the first mention, counted from 1.")
    mentions_by_chapter: list[int] = Field(description="Mentions per chapter, up to `upto`.")
    merges: list[MergeOut] = Field(description="Evidence for names that were merged into this character.")
    doubtful: str | None = Field(
        description="Why this may not be one person, as a sentence; null if there is no such doubt."
    )

    @classmethod
    def of(cls, presence: Presence) -> CharacterOut:
        return cls.like(
            presence.character,
            first_chapter=presence.first_chapter,
            mentions_by_chapter=presence.by_chapter,
            merges=presence.merges,
            doubtful=presence.doubtful and presence.doubtful.told,
        )


class CastOut(Out):
    book: str = Field(description="The book's id.")
    items: list[CharacterOut] = Field(description="Characters, most mentioned first.")
    narrator: str | None = Field(description="Id of the narrator, the “I” outside quotes.")
    resolver: str = Field(description="The engine that found the characters, with its version.")


class NamesakeOut(Out):
    """A character in any book of the library, based on the whole book."""

    book: TitleOut
    id: str = Field(description="Id of the character in that book.")
    name: str
    aliases: list[str]
    kind: CharacterKind
    pronouns: str | None = Field(description=PRONOUNS)
    mention_count: int

    @classmethod
    def of(cls, record: CharacterRecord) -> NamesakeOut:
        return cls.like(record, book=TitleOut(id=record.book_id, title=record.book_title), id=record.key)


class NamesakesOut(Out):
    items: list[NamesakeOut] = Field(description="Characters, most mentioned first.")


class MentionOut(Out):
    span: SpanOut
    kind: MentionKind = Field(description=MENTION_KIND)
    text: str = Field(description="The text of the book at `span`.")
    chapter: int | None = Field(description="Counted from 1.")
    confidence: float = Field(description=REFERS_SURELY)

    @classmethod
    def of(cls, mention: Mention, *, book: Book) -> MentionOut:
        chapter = book.chapter_at(mention.span.start)
        number = chapter.number if chapter else None
        return cls.like(mention, text=book.slice(mention.span), chapter=number)


class MentionPage(Page[MentionOut]):
    pass
