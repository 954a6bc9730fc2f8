"""Possible duplicates and doubtful people, and the decisions that resolve them."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from coref.decisions.types import DecisionKind
from coref.types import Character
from service.usecases.doubts import PersonQuestion, Question
from service.usecases.places import Place
from service.wire.previews import PlaceOut
from service.wire.shapes import Out, SpanOut


class DoubtedOut(Out):
    id: str
    name: str
    names: list[str] = Field(description="All names in the book, most frequent first.")
    mention_count: int = Field(description="Mentions up to `upto`.")
    place: PlaceOut = Field(description="The first place that uses one of the names.")

    @classmethod
    def of(cls, character: Character, place: Place) -> DoubtedOut:
        return cls.like(character, names=[alias.text for alias in character.aliases], place=place)


class ToDecideOut(Out):
    """A decision in the form that `POST …/decisions` accepts."""

    kind: DecisionKind
    character: str
    other: str
    spans: list[SpanOut] = Field(
        description="Of a merge: where the book reveals that they are one, if the evidence is one passage."
    )


class DoubtOut(Out):
    one: DoubtedOut = Field(description="The one with more mentions.")
    other: DoubtedOut = Field(description="The one with fewer mentions.")
    confidence: float | None = Field(
        description="Likelihood that they are the same person, from 0 to 1. It is found from the whole "
        "book, and null with `upto`."
    )
    evidence: str = Field(description="Why they may be one person, as part of a sentence.")
    place: PlaceOut | None = Field(
        description="The name by which the book first gives reason to ask; null if only the whole book does."
    )
    impact: int = Field(description="Number of mentions that a merge would move.")
    merge: ToDecideOut = Field(
        description="Post this to the decisions of the book if they are the same person."
    )
    dismiss: ToDecideOut = Field(
        description="Post this to the decisions of the book if they are different people."
    )

    @classmethod
    def of(cls, question: Question) -> DoubtOut:
        one, other = question.one, question.other
        revealed = [SpanOut.of(question.revealed)] if question.revealed else []
        merge, dismiss = (
            ToDecideOut(kind=kind, character=one.id, other=other.id, spans=spans)
            for kind, spans in ((DecisionKind.MERGE, revealed), (DecisionKind.DISMISS, []))
        )
        return cls.like(
            question.doubt,
            one=DoubtedOut.of(one, question.one_at),
            other=DoubtedOut.of(other, question.other_at),
            place=question.at,
            impact=question.impact,
            merge=merge,
            dismiss=dismiss,
        )


class ToGiveBackOut(Out):
    """A decision in the form that `POST …/decisions` accepts."""

    kind: DecisionKind
    other: str
    spans: list[SpanOut]
    pronouns: bool


class ToSettleOut(Out):
    """A decision in the form that `POST …/decisions` accepts."""

    kind: DecisionKind
    character: str


class DoubtfulOut(Out):
    character: DoubtedOut
    evidence: str = Field(description="Why they may not be one person, as a sentence.")
    pronouns: int = Field(description="Number of pronouns that are taken to mean them.")
    give_back: ToGiveBackOut = Field(
        description="Post this to the decisions of the book to let these pronouns mean nobody. Nouns and "
        "quotes near them follow."
    )
    dismiss: ToSettleOut = Field(
        description="Post this to the decisions of the book if they are one person: it is not asked again."
    )
    hide: ToSettleOut = Field(
        description="Post this to the decisions of the book if they are not a person of the book."
    )

    @classmethod
    def of(cls, question: PersonQuestion) -> DoubtfulOut:
        character, back = question.character, question.give_back
        return cls(
            character=DoubtedOut.of(character, question.at),
            evidence=question.doubtful.told,
            pronouns=question.doubtful.pronouns,
            give_back=ToGiveBackOut.like(back, other=character.id),
            dismiss=ToSettleOut(kind=DecisionKind.DISMISS, character=character.id),
            hide=ToSettleOut(kind=DecisionKind.HIDE, character=character.id),
        )


class DoubtsOut(Out):
    items: list[DoubtOut] = Field(
        description="Sorted by `impact` times `confidence`, the expected number of mentions to move, highest "
        "first. Resolved doubts are not included."
    )
    people: list[DoubtfulOut] = Field(
        description="People who may not be one person: names that are hardly said, with many pronouns."
    )

    @classmethod
    def of(cls, pairs: Iterable[Question], people: Iterable[PersonQuestion]) -> DoubtsOut:
        return cls(items=[DoubtOut.of(q) for q in pairs], people=[DoubtfulOut.of(q) for q in people])
