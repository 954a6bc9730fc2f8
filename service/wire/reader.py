"""A chapter to read, and the network of characters."""

from __future__ import annotations

from pydantic import Field

from books.types import Book, ParagraphKind
from coref.types import Mention, MentionKind, Quote
from generation.story.types import Company
from service.usecases.network import Meeting, Network
from service.usecases.reader import Leaf, Marked
from service.wire.shapes import LOCATOR, MENTION_KIND, REFERS_SURELY, Copy, Out, Page, SpanOut


class MarkOut(Out):
    span: SpanOut
    character: str = Field(description="Id of the character it refers to.")
    kind: MentionKind = Field(description=MENTION_KIND)
    confidence: float = Field(description=REFERS_SURELY)

    @classmethod
    def of(cls, mention: Mention) -> MarkOut:
        return cls.like(mention, character=str(mention.character))


class UnlistedOut(Copy[Mention]):
    span: SpanOut
    kind: MentionKind = Field(description=MENTION_KIND)


class SpokenOut(Copy[Quote]):
    span: SpanOut = Field(description="The words, with their quotation marks if there are any.")
    speaker: str | None = Field(description="Id of the speaker; null if unknown.")
    addressee: str | None = Field(description="Id of whom it is said to; null if unknown.")
    confidence: float = Field(description="Confidence in the speaker, from 0 to 1.")


class ParagraphOut(Out):
    index: int = Field(description="Number in the book, from 0, as in `upto=p:120`.")
    kind: ParagraphKind = Field(
        description="In a play also `speech`, and `direction`: an action on stage, or who is there."
    )
    span: SpanOut
    text: str
    locator: str | None = Field(description=LOCATOR)
    mentions: list[MarkOut] = Field(description="Mentions, with offsets in the book. They may be nested.")
    unlisted: list[UnlistedOut] = Field(description="Mentions of people who are not listed as characters.")
    things: list[UnlistedOut] = Field(
        description="Names that are taken for those of places or things. They can be corrected, too."
    )
    quotes: list[SpokenOut] = Field(description="Its direct speech, with the speakers.")

    @classmethod
    def of(cls, marked: Marked, text: str) -> ParagraphOut:
        return cls.like(
            marked.paragraph,
            text=text,
            mentions=[MarkOut.of(m) for m in marked.mentions],
            unlisted=marked.unlisted,
            things=marked.things,
            quotes=marked.quotes,
        )


class LeafOut(Out):
    book: str = Field(description="The book's id.")
    number: int = Field(description="Number of the chapter, counted from 1.")
    title: str
    chapters: int = Field(description="Number of chapters, up to `upto`.")
    span: SpanOut
    paragraphs: list[ParagraphOut]

    @classmethod
    def of(cls, leaf: Leaf, *, book_id: str) -> LeafOut:
        shown = [ParagraphOut.of(m, leaf.book.slice(m.paragraph.span)) for m in leaf.paragraphs]
        return cls.like(leaf.chapter, book=book_id, chapters=len(leaf.book.chapters), paragraphs=shown)


class NodeOut(Out):
    id: str
    name: str
    mention_count: int = Field(description="Mentions up to `upto`.")


class EdgeOut(Out):
    one: str = Field(description="Id of a character.")
    other: str = Field(description="Id of the other character.")
    together: int = Field(
        description="Number of paragraphs, without headings, that have a name or a pronoun of both. "
        "Nouns such as “the old man” do not count, nor what stands inside a longer mention."
    )
    spoken: int = Field(description="Number of quotes that one says to the other.")
    weight: float = Field(description="A paragraph of both counts 1, and a quote 1.5.")
    chapters: list[int] = Field(description="Chapters of these paragraphs and quotes, counted from 1.")

    @classmethod
    def of(cls, edge: Company) -> EdgeOut:
        return cls.like(edge, chapters=[chapter + 1 for chapter in edge.chapters])


class NetworkOut(Out):
    book: str = Field(description="The book's id.")
    people: list[NodeOut] = Field(description="Characters, most mentioned first.")
    edges: list[EdgeOut] = Field(description="Edges, highest weight first.")

    @classmethod
    def of(cls, found: Network, *, book_id: str) -> NetworkOut:
        return cls.like(found, book=book_id, edges=[EdgeOut.of(edge) for edge in found.edges])


class MeetingOut(Out):
    span: SpanOut
    chapter: int = Field(description="Counted from 1.")
    text: str = Field(description="The shared paragraph.")
    locator: str | None = Field(description=LOCATOR)
    together: bool = Field(description="Whether it mentions all of them.")
    quotes: list[SpokenOut] = Field(description="Quotes in it that one of them says to another.")

    @classmethod
    def of(cls, meeting: Meeting, *, book: Book) -> MeetingOut:
        paragraph = meeting.paragraph
        return cls.like(
            paragraph,
            chapter=paragraph.chapter + 1,
            text=book.slice(paragraph.span),
            together=meeting.together,
            quotes=meeting.spoken,
        )


class MeetingPage(Page[MeetingOut]):
    people: list[str] = Field(description="Ids of the characters.")
    total: int = Field(description="Total number on all pages.")
