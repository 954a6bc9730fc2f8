"""A dossier: what the book says about a character, weighted, with citations for each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import Field

from books.types import Book
from coref.types import Character, Tense
from generation.story.types import (
    Aspect,
    Attitude,
    Bearing,
    BookThird,
    CharacterRole,
    Company,
    Deed,
    DeedKind,
    Dossier,
    LateName,
    Quality,
    SpeechCounts,
    StoryChange,
    StoryPresence,
    Tie,
    TieKind,
)
from generation.types import Citation
from service.wire.answers import CitationOut, PersonOut
from service.wire.attributes import StrokeOut
from service.wire.shapes import Out

SPEAKER = "Id of the character who says so, if known. If `quoted` is false, the narration says so."


@dataclass(frozen=True, slots=True)
class Extent:
    """The size limits of a dossier, and its book."""

    book: Book
    most: int
    """Maximum number of entries of each kind."""
    places: int
    """Maximum number of citations per entry."""

    def cited(self, citations: Sequence[Citation]) -> list[CitationOut]:
        return [CitationOut.of(c, book=self.book) for c in citations[: self.places]]

    def heaviest(self, deeds: Sequence[Deed]) -> list[DeedOut]:
        """The events with the highest weight, in story order."""
        kept = sorted(deeds, key=lambda d: -d.weight)[: self.most]
        return [DeedOut.of(d, extent=self) for d in deeds if d in kept]


class TieOut(Out):
    kind: TieKind
    term: str = Field(description="What the character is to the other: `sister`, `housekeeper`.")
    qualifier: str | None = Field(description="Qualifier in the book: `eldest`.")
    other: str | None = Field(description="Id of the other; null if they are not in the cast.")
    other_name: str | None = Field(description="Name of the other if they are not in the cast.")
    confidence: float = Field(ge=0, le=1)
    inferred: bool = Field(description="Inferred from other relationships; no sentence states it.")
    citations: list[CitationOut]

    @classmethod
    def of(cls, tie: Tie, *, extent: Extent) -> TieOut:
        return cls(
            kind=tie.kind,
            term=tie.term,
            qualifier=tie.qualifier,
            other=tie.other,
            other_name=tie.other_name,
            confidence=min(1.0, max(0.0, tie.confidence)),
            inferred=tie.inferred,
            citations=extent.cited(tie.citations),
        )


class RoleOut(Out):
    phrase: str = Field(description="Role in the story: `housekeeper at Pemberley`.")
    head: str = Field(description="The noun of the phrase.")
    unique: bool = Field(description="Whether there is only one: the book uses `the`.")
    called: bool = Field(description="The book only calls them so, and does not state it.")
    quoted: bool
    speaker: str | None = Field(description=SPEAKER)
    citations: list[CitationOut]

    @classmethod
    def of(cls, role: CharacterRole, *, extent: Extent) -> RoleOut:
        return cls(
            phrase=role.phrase,
            head=role.head,
            unique=role.unique,
            called=role.called,
            quoted=role.speaker is not None,
            speaker=role.speaker or None,
            citations=extent.cited(role.citations),
        )


class QualityOut(Out):
    text: str = Field(description="The trait in the words of the book: `very proud`.")
    lemma: str
    aspect: Aspect
    count: int = Field(description="Number of places that say so.")
    quoted: bool
    speaker: str | None = Field(description=SPEAKER)
    citations: list[CitationOut]

    @classmethod
    def of(cls, quality: Quality, *, extent: Extent) -> QualityOut:
        return cls(
            text=quality.text,
            lemma=quality.lemma,
            aspect=quality.aspect,
            count=quality.count,
            quoted=quality.speaker is not None,
            speaker=quality.speaker or None,
            citations=extent.cited(quality.citations),
        )


class AttitudeOut(Out):
    """A feeling of one character towards another, or a change between them, supported by the whole book."""

    bearing: Bearing
    holder: str = Field(description="Id of the one who has the feeling: the character or another.")
    other: str = Field(description="Id of the character towards whom it is.")
    confidence: float = Field(ge=0, le=1)
    chapter: int = Field(description="Chapter in which it starts or happens, counted from 1.")
    early: bool = Field(description="Whether the first third of the book says so.")
    late: bool = Field(description="Whether the last third of the book says so.")
    quoted: bool
    speaker: str | None = Field(description=SPEAKER)
    citations: list[CitationOut]

    @classmethod
    def of(cls, attitude: Attitude, *, extent: Extent) -> AttitudeOut:
        return cls(
            bearing=attitude.bearing,
            holder=attitude.holder,
            other=attitude.other,
            confidence=attitude.confidence,
            chapter=attitude.chapter + 1,
            early=attitude.early,
            late=attitude.late,
            quoted=attitude.speaker is not None,
            speaker=attitude.speaker or None,
            citations=extent.cited(attitude.citations),
        )


class DeedOut(Out):
    lemma: str = Field(description="The verb with its particle: `run away`.")
    kind: DeedKind
    subject: str | None = Field(description="Who does it; another character if it is done to this one.")
    others: list[str] = Field(description="Ids of other characters who take part.")
    weight: float = Field(description="Importance for a description.")
    tense: Tense | None
    negated: bool
    modal: str | None = Field(description="Word that makes it uncertain: `could`, `if`, `try`…")
    quoted: bool = Field(description="Whether a character says so, and not the narration.")
    speaker: str | None = Field(description=SPEAKER)
    citation: CitationOut

    @classmethod
    def of(cls, deed: Deed, *, extent: Extent) -> DeedOut:
        return cls(
            lemma=deed.lemma,
            kind=deed.kind,
            subject=deed.subject,
            others=list(deed.others),
            weight=deed.weight,
            tense=deed.tense,
            negated=deed.negated,
            modal=deed.modal,
            quoted=deed.quoted,
            speaker=deed.speaker or None,
            citation=CitationOut.of(deed.citation, book=extent.book),
        )


class CompanyOut(Out):
    other: str = Field(description="Id of the other character.")
    together: int = Field(description="Number of paragraphs that mention both.")
    deeds: int = Field(description="Number of events in which one acts on or with the other.")
    spoken: int = Field(description="Number of quotes that one says to the other.")
    chapters: list[int] = Field(description="Chapters in which they meet, counted from 1.")

    @classmethod
    def of(cls, company: Company) -> CompanyOut:
        return cls(
            other=company.other,
            together=company.together,
            deeds=company.deeds,
            spoken=company.spoken,
            chapters=_numbers(company.chapters),
        )


class PresenceOut(Out):
    chapters: list[int] = Field(description="Chapters in which they are mentioned, counted from 1.")
    by_chapter: list[int] = Field(description="Mentions in each of `chapters`.")
    share: float = Field(description="Share of the chapters up to `upto`.")
    rank: int = Field(description="Rank in the cast by mentions, from 1.")
    first: CitationOut
    last: CitationOut

    @classmethod
    def of(cls, presence: StoryPresence, *, book: Book) -> PresenceOut:
        return cls(
            chapters=_numbers(presence.chapters),
            by_chapter=list(presence.by_chapter),
            share=presence.share,
            rank=presence.rank,
            first=CitationOut.of(presence.first, book=book),
            last=CitationOut.of(presence.last, book=book),
        )


class PartOut(Out):
    chapters: list[int] = Field(description="Chapters, counted from 1.")
    mentions: int
    company: list[CompanyOut]
    names: list[str] = Field(description="Names that are used only in this part.")
    qualities: list[QualityOut] = Field(description="Traits that only this part mentions.")
    deeds: list[DeedOut]

    @classmethod
    def of(cls, part: BookThird, *, extent: Extent) -> PartOut:
        return cls(
            chapters=_numbers(part.chapters),
            mentions=part.mentions,
            company=[CompanyOut.of(c) for c in part.company[: extent.most]],
            names=list(part.names),
            qualities=[QualityOut.of(q, extent=extent) for q in part.qualities[: extent.most]],
            deeds=extent.heaviest(part.deeds),
        )


class NewNameOut(Out):
    text: str = Field(description="A name that is first used late: `Mrs. Collins`.")
    count: int
    citation: CitationOut

    @classmethod
    def of(cls, name: LateName, *, book: Book) -> NewNameOut:
        return cls(text=name.text, count=name.count, citation=CitationOut.of(name.citation, book=book))


class ChangeOut(Out):
    """Differences between the first and the last third of the book, up to `upto`."""

    early: PartOut
    late: PartOut
    new_names: list[NewNameOut]

    @classmethod
    def of(cls, change: StoryChange, *, extent: Extent) -> ChangeOut:
        return cls(
            early=PartOut.of(change.early, extent=extent),
            late=PartOut.of(change.late, extent=extent),
            new_names=[NewNameOut.of(n, book=extent.book) for n in change.new_names],
        )


class ListenerOut(Out):
    character: str = Field(description="Id of the character.")
    quotes: int = Field(description="Number of quotes said to them.")


class SpeechOut(Out):
    quotes: int
    words: int
    share: float = Field(description="Share of all words in direct speech in the book.")
    listeners: list[ListenerOut]
    words_of_theirs: list[str] = Field(description="Characteristic words, most distinctive first.")
    longest: CitationOut | None

    @classmethod
    def of(cls, speech: SpeechCounts, *, extent: Extent) -> SpeechOut:
        return cls(
            quotes=speech.quotes,
            words=speech.words,
            share=speech.share,
            listeners=[ListenerOut(character=c, quotes=n) for c, n in speech.listeners[: extent.most]],
            words_of_theirs=list(speech.words_of_theirs[: extent.most]),
            longest=speech.longest and CitationOut.of(speech.longest, book=extent.book),
        )


class DossierOut(Out):
    character: PersonOut
    narrates: bool = Field(description="Whether they are the narrator.")
    ties: list[TieOut]
    roles: list[RoleOut]
    qualities: list[QualityOut]
    portrait: list[StrokeOut] = Field(description="Appearance and character in phrases of the book.")
    attitudes: list[AttitudeOut] = Field(description="Their feelings, and those of others towards them.")
    deeds: list[DeedOut] = Field(description="The events with the highest weight, in story order.")
    company: list[CompanyOut]
    presence: PresenceOut
    change: ChangeOut | None = Field(description="Null if there is too little to compare.")
    speech: SpeechOut
    people: list[PersonOut] = Field(description="All characters whose ids are used in the dossier.")

    @classmethod
    def of(
        cls,
        dossier: Dossier,
        *,
        character: Character,
        name_of: Callable[[str], Character | None],
        extent: Extent,
    ) -> DossierOut:
        made = cls(
            character=PersonOut.of(character),
            narrates=dossier.narrates,
            ties=[TieOut.of(t, extent=extent) for t in dossier.ties[: extent.most]],
            roles=[RoleOut.of(r, extent=extent) for r in dossier.roles[: extent.most]],
            qualities=[QualityOut.of(q, extent=extent) for q in dossier.qualities[: extent.most]],
            portrait=[
                StrokeOut.of(s, citations=extent.cited((s.citation,)))
                for s in dossier.portrait[: extent.most]
            ],
            attitudes=[AttitudeOut.of(a, extent=extent) for a in dossier.attitudes[: extent.most]],
            deeds=extent.heaviest(dossier.deeds),
            company=[CompanyOut.of(c) for c in dossier.company[: extent.most]],
            presence=PresenceOut.of(dossier.presence, book=extent.book),
            change=ChangeOut.of(dossier.change, extent=extent) if dossier.change else None,
            speech=SpeechOut.of(dossier.speech, extent=extent),
            people=[],
        )
        named = (name_of(key) for key in dict.fromkeys(_ids(made)))
        return made.model_copy(update={"people": [PersonOut.of(person) for person in named if person]})


def _ids(out: DossierOut) -> Iterable[str]:
    parts = (out.change.early, out.change.late) if out.change else ()
    company = [*out.company, *(c for part in parts for c in part.company)]
    deeds = [*out.deeds, *(d for part in parts for d in part.deeds)]
    said: list[RoleOut | QualityOut | StrokeOut | AttitudeOut | DeedOut] = [*out.roles, *out.qualities]
    said += [*out.portrait, *out.attitudes, *deeds]
    said += [quality for part in parts for quality in part.qualities]
    found: list[str | None] = [tie.other for tie in out.ties]
    found += [c.other for c in company] + [s.speaker for s in said] + [d.subject for d in deeds]
    found += [other for deed in deeds for other in deed.others]
    found += [who for a in out.attitudes for who in (a.holder, a.other)]
    found += [listener.character for listener in out.speech.listeners]
    return (key for key in found if key)


def _numbers(chapters: Sequence[int]) -> list[int]:
    return [chapter + 1 for chapter in chapters]
