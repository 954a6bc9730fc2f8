"""Corrections by readers."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator

from books.types import Span
from coref.decisions.types import Decision, DecisionKind
from service.usecases.decisions import Logged
from service.wire.previews import PlaceOut
from service.wire.shapes import Copy, Out, SpanOut


class SpanIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    start: int = Field(ge=0, le=2**31)
    end: int = Field(ge=0, le=2**31)

    @model_validator(mode="after")
    def _forward(self) -> SpanIn:
        if self.end < self.start:
            raise ValueError("a span ends after it starts")
        return self


class DecisionIn(BaseModel):
    """Which fields matter depends on the kind; see `kind`."""

    model_config = ConfigDict(extra="forbid")
    kind: DecisionKind = Field(
        description=(
            "merge: `character` takes in `other`. split: the mentions that say one of `aliases`, or lie at "
            "one of `spans`, leave `character` for a new one called `name`. rename: `character` is shown as "
            "`name`. hide: `character` is none. narrator: “I” outside quotes is `character`. "
            "speaker: the quotes at `spans`, each a quote's whole span, are spoken by `character`, or nobody "
            "knows by whom if it is null. "
            "dismiss: there is no doubt any more whether `character` and `other` are one; they are two. "
            "undo: the decision numbered `undoes` no longer counts."
        )
    )
    character: str | None = Field(default=None, max_length=200)
    other: str | None = Field(default=None, max_length=200)
    name: str | None = Field(default=None, min_length=1, max_length=200)
    aliases: list[str] = Field(default=[], max_length=100)
    spans: list[SpanIn] = Field(default=[], max_length=10_000)
    undoes: int | None = Field(default=None, ge=1, le=2**31)

    @property
    def spans_given(self) -> tuple[Span, ...]:
        return tuple(Span(s.start, s.end) for s in self.spans)

    def wanted(self) -> Decision:
        """As an entry of the log that has no number yet."""
        return Decision(
            0,
            self.kind,
            self.character,
            self.other,
            self.name,
            tuple(self.aliases),
            self.spans_given,
            self.undoes,
        )


class DecisionOut(Copy[Decision]):
    number: int = Field(description="Position in the book's log, from 1.")
    kind: DecisionKind
    character: str | None
    other: str | None
    name: str | None
    aliases: list[str]
    spans: list[SpanOut]
    undoes: int | None


class LoggedOut(DecisionOut):
    undone: bool = Field(description="Whether an `undo` that counts has taken it back.")
    character_name: str | None = Field(
        description="What `character` was called; null if nobody is known by that id any more."
    )
    other_name: str | None
    place: PlaceOut | None = Field(description="The first of `spans`.")

    @classmethod
    def of_entry(cls, entry: Logged) -> LoggedOut:
        return cls(
            **dict(DecisionOut.of(entry.decision)),
            undone=entry.undone,
            character_name=entry.character,
            other_name=entry.other,
            place=entry.at and PlaceOut.of(entry.at),
        )


class DecisionsOut(Out):
    items: list[LoggedOut]
