"""The card of a character: who they are, in certain statements and quotations, each with its places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from books.types import Book
from coref.types import Character
from generation.phrases import with_marks
from generation.story.quotation import Quotation
from generation.story.types import (
    Change,
    Company,
    Profile,
    SpeechCounts,
    StoryPresence,
    Tie,
    WhoLine,
)
from generation.types import AnswerLanguage, Category
from service.wire.answers import CitationOut, PersonOut
from service.wire.shapes import Out


class TieOut(Out):
    kind: Literal["tie"] = "tie"
    predicate: str = Field(description="What the character is to the other: `eldest sister`.")
    other: str = Field(description="Id of the other.")
    other_name: None = Field(default=None, description="Always null: the other is in the cast.")
    certainty: float = Field(ge=0, le=1, description="Probability that the book says this of them.")
    citations: list[CitationOut] = Field(description="Where the book says it.")

    @classmethod
    def of(cls, tie: Tie, *, book: Book) -> TieOut:
        citations = [CitationOut.of(place, book=book) for place in tie.places]
        return cls(predicate=tie.predicate, other=tie.other, certainty=tie.certainty, citations=citations)


class QuotationOut(Out):
    text: str = Field(description="The words of the book, with `…` where the sentence is cut.")
    category: Category
    speaker: str | None = Field(description="Id of the character who says it, if known.")
    quoted: bool = Field(description="Whether a character says it, and not the narration.")
    certainty: float = Field(ge=0, le=1, description="Probability that it is about the character.")
    mentions: list[str] = Field(description="Ids of the other characters that it mentions.")
    citation: CitationOut = Field(description="Where the book has it.")

    @classmethod
    def of(cls, quotation: Quotation, *, book: Book) -> QuotationOut:
        return cls.like(
            quotation,
            text=with_marks(quotation.text, AnswerLanguage.of(book)),
            speaker=quotation.speaker or None,
            quoted=quotation.speaker is not None,
            certainty=min(1.0, max(0.0, quotation.certainty)),
            mentions=sorted(quotation.others),
            citation=CitationOut.of(quotation.citation, book=book),
        )


class ProfileChangeOut(Out):
    """What the book says of the character in the first and in the last third of their chapters so far."""

    early: QuotationOut = Field(description="Of the first third.")
    late: QuotationOut = Field(description="Of the last third.")

    @classmethod
    def of(cls, change: Change, *, book: Book) -> ProfileChangeOut:
        return cls(
            early=QuotationOut.of(change.early, book=book), late=QuotationOut.of(change.late, book=book)
        )


class WhoOut(Out):
    id: str = Field(description="Id of the character.")
    name: str
    who: str = Field(description="One line that says who they are. Empty if the book says too little.")
    citations: list[CitationOut] = Field(description="What the line rests on.")

    @classmethod
    def of(cls, character: Character, line: WhoLine, *, book: Book) -> WhoOut:
        citations = [CitationOut.of(place, book=book) for place in line.places]
        return cls.like(character, who=line.text, citations=citations)


class WhoLinesOut(Out):
    items: list[WhoOut] = Field(description="Characters, most mentioned first.")


class CompanyOut(Out):
    other: str = Field(description="Id of the other character.")
    together: int = Field(description="Number of paragraphs that mention both.")
    spoken: int = Field(description="Number of quotes that one says to the other.")
    chapters: list[int] = Field(description="Chapters of these paragraphs and quotes, counted from 1.")

    @classmethod
    def of(cls, company: Company) -> CompanyOut:
        return cls.like(company, chapters=_numbers(company.chapters))


class PresenceOut(Out):
    chapters: list[int] = Field(description="Chapters in which they are mentioned, counted from 1.")
    by_chapter: list[int] = Field(description="Mentions in each of `chapters`.")
    share: float = Field(description="Share of the chapters up to `upto`.")
    rank: int = Field(description="Rank in the cast by mentions, from 1.")
    first: CitationOut = Field(description="The sentence that names them first, or first mentions them.")
    last: CitationOut = Field(description="The sentence of their last mention, up to `upto`.")

    @classmethod
    def of(cls, presence: StoryPresence, *, book: Book) -> PresenceOut:
        first, last = (CitationOut.of(place, book=book) for place in (presence.first, presence.last))
        return cls.like(presence, chapters=_numbers(presence.chapters), first=first, last=last)


class ListenerOut(Out):
    character: str = Field(description="Id of the character.")
    quotes: int = Field(description="Number of quotes said to them.")


class SpeechOut(Out):
    quotes: int
    words: int = Field(description="Words in these quotes.")
    share: float = Field(description="Share of all words in direct speech in the book.")
    listeners: list[ListenerOut] = Field(description="To whom they speak, most often first.")
    words_of_theirs: list[str] = Field(description="Characteristic words, most distinctive first.")
    longest: CitationOut | None = Field(
        description="Where the longest of these quotes begins; null if there is none."
    )

    @classmethod
    def of(cls, speech: SpeechCounts, *, book: Book) -> SpeechOut:
        return cls.like(
            speech,
            listeners=[ListenerOut(character=c, quotes=n) for c, n in speech.listeners],
            longest=speech.longest and CitationOut.of(speech.longest, book=book),
        )


class ProfileOut(Out):
    character: PersonOut
    who: str = Field(description="One line that says who they are. Empty if the book says too little.")
    who_citations: list[CitationOut] = Field(description="What the line rests on.")
    narrates: bool = Field(description="Whether they are the narrator.")
    little: bool = Field(description="Whether the book says too little for more than a sentence or two.")
    doubtful: str | None = Field(description="As in the list of characters.")
    ties: list[TieOut] = Field(description="Certain relationships, nearest first.")
    role: list[QuotationOut] = Field(description="Their part in the story, in the words of the book.")
    looks: list[QuotationOut] = Field(description="Looks and circumstances.")
    nature: list[QuotationOut] = Field(description="What they are like, in the words of the book.")
    said_by_others: list[QuotationOut] = Field(description="What other characters say of them.")
    turning_points: list[QuotationOut] = Field(description="In story order.")
    change: ProfileChangeOut | None = Field(description="Null if there is too little to compare.")
    own_words: list[QuotationOut] = Field(description="Quotes that they speak.")
    company: list[CompanyOut] = Field(description="The twelve with whom they meet most, closest first.")
    presence: PresenceOut = Field(description="Where they are mentioned, and how much.")
    speech: SpeechOut = Field(description="What they say in direct speech, counted.")
    people: list[PersonOut] = Field(description="All characters whose ids are used in the card.")

    @classmethod
    def of(
        cls,
        profile: Profile,
        *,
        character: Character,
        name_of: Callable[[str], Character | None],
        book: Book,
    ) -> ProfileOut:
        def quoted(quotations: Sequence[Quotation]) -> list[QuotationOut]:
            return [QuotationOut.of(q, book=book) for q in quotations]

        made = cls.like(
            profile,
            character=character,
            who_citations=[CitationOut.of(place, book=book) for place in profile.who_places],
            doubtful=profile.doubtful and profile.doubtful.told,
            ties=[TieOut.of(tie, book=book) for tie in profile.ties],
            role=quoted(profile.role),
            looks=quoted(profile.looks),
            nature=quoted(profile.nature),
            said_by_others=quoted(profile.said_by_others),
            turning_points=quoted(profile.turning_points),
            change=profile.change and ProfileChangeOut.of(profile.change, book=book),
            own_words=quoted(profile.own_words),
            company=[CompanyOut.of(c) for c in profile.company],
            presence=PresenceOut.of(profile.presence, book=book),
            speech=SpeechOut.of(profile.speech, book=book),
            people=[],
        )
        named = (name_of(key) for key in dict.fromkeys(_ids(made)))
        return made.model_copy(update={"people": [PersonOut.of(person) for person in named if person]})

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the characters in the card, by id."""
        return {person.id: person.name for person in (*self.people, self.character)}


def sections(told: ProfileOut) -> Iterator[tuple[str, Sequence[QuotationOut]]]:
    """Yield the headings of a card with what stands below each."""
    yield "Role", told.role
    yield "Looks and circumstances", told.looks
    yield "Nature", told.nature
    yield "What others say", told.said_by_others
    yield "Turning points", told.turning_points
    yield "In their own words", told.own_words
    yield "Early and late", (told.change.early, told.change.late) if told.change else ()


def warnings(told: ProfileOut) -> Iterator[str]:
    """Yield how far the card is to be believed."""
    if told.doubtful:
        yield f"This may not be one person. {told.doubtful}"
    if told.little:
        yield f"Little can be said of {told.character.name} with certainty."


def speaker_of(quotation: QuotationOut, names: Mapping[str, str]) -> str:
    """Return who says it, before the words: `Ann: `. Empty if nobody does."""
    if not quotation.quoted:
        return ""
    return f"{names.get(quotation.speaker, quotation.speaker) if quotation.speaker else 'somebody'}: "


def _ids(out: ProfileOut) -> Iterable[str]:
    compared = (out.change.early, out.change.late) if out.change else ()
    quotations = (
        *out.role,
        *out.looks,
        *out.nature,
        *out.said_by_others,
        *out.turning_points,
        *out.own_words,
        *compared,
    )
    found = [*(tie.other for tie in out.ties), *(q.speaker for q in quotations)]
    found += [who for q in quotations for who in q.mentions]
    found += [company.other for company in out.company]
    found += [listener.character for listener in out.speech.listeners]
    return (key for key in found if key)


def _numbers(chapters: Sequence[int]) -> list[int]:
    return [chapter + 1 for chapter in chapters]
