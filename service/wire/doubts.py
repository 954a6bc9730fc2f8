"""Possible duplicates, and what can be done about each."""

from __future__ import annotations

from pydantic import Field

from coref.decisions.types import DecisionKind
from coref.types import Character
from service.usecases.doubts import Question
from service.usecases.places import Place
from service.wire.previews import PlaceOut
from service.wire.shapes import Out


class DoubtedOut(Out):
    id: str
    name: str
    names: list[str] = Field(description="All that the book calls them, most used first.")
    mention_count: int
    place: PlaceOut = Field(description="Where the book first calls them by a name.")

    @classmethod
    def of(cls, character: Character, place: Place) -> DoubtedOut:
        return cls(
            id=character.id,
            name=character.name,
            names=[alias.text for alias in character.aliases],
            mention_count=character.mention_count,
            place=PlaceOut.of(place),
        )


class ToDecideOut(Out):
    """A decision as `POST …/decisions` takes it."""

    kind: DecisionKind
    character: str
    other: str


class DoubtOut(Out):
    one: DoubtedOut = Field(description="Whoever of the two is mentioned more.")
    other: DoubtedOut
    confidence: float = Field(description="How likely they are one, from 0 to 1.")
    evidence: str
    impact: int = Field(description="How many mentions would change hands if they were one.")
    merge: ToDecideOut = Field(description="Post this to the book's decisions if they are one.")
    dismiss: ToDecideOut = Field(description="Post this to the book's decisions if they are two.")

    @classmethod
    def of(cls, question: Question) -> DoubtOut:
        one, other = question.one, question.other
        merge, dismiss = (
            ToDecideOut(kind=kind, character=one.id, other=other.id)
            for kind in (DecisionKind.MERGE, DecisionKind.DISMISS)
        )
        return cls(
            one=DoubtedOut.of(one, question.one_at),
            other=DoubtedOut.of(other, question.other_at),
            confidence=question.doubt.confidence,
            evidence=question.doubt.evidence,
            impact=question.impact,
            merge=merge,
            dismiss=dismiss,
        )


class DoubtsOut(Out):
    items: list[DoubtOut] = Field(
        description="By `impact` times `confidence`, the mentions that can be expected to change hands, most "
        "first; what was decided is not among them."
    )
