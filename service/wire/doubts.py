"""Possible duplicates, and the decisions that resolve them."""

from __future__ import annotations

from pydantic import Field

from coref.decisions.types import DecisionKind
from coref.types import Character
from service.usecases.doubts import Question
from service.usecases.places import Place
from service.wire.previews import PlaceOut
from service.wire.shapes import Out, SpanOut


class DoubtedOut(Out):
    id: str
    name: str
    names: list[str] = Field(description="All names in the book, most frequent first.")
    mention_count: int
    place: PlaceOut = Field(description="The first place that uses one of the names.")

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
    """A decision in the form that `POST …/decisions` accepts."""

    kind: DecisionKind
    character: str
    other: str
    spans: list[SpanOut] = Field(
        description="Of a merge: where the book reveals that they are one, if the evidence is one passage."
    )


class DoubtOut(Out):
    one: DoubtedOut = Field(description="The one with more mentions.")
    other: DoubtedOut
    confidence: float | None = Field(
        description="Likelihood that they are the same person, from 0 to 1. It is found from the whole "
        "book, and null with `upto`."
    )
    evidence: str
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
        description="Sorted by `impact` times `confidence`, the expected number of mentions to move, highest "
        "first. Resolved doubts are not included."
    )
