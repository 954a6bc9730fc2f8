"""Corrections by readers, stored as decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from books.types import Span
from coref.decisions.types import Decision, DecisionKind
from service.usecases.copied_decisions import NotCopied
from service.usecases.decisions import Logged
from service.wire.previews import PlaceOut
from service.wire.shapes import Copy, Out, SpanOut

USED: Final[Mapping[DecisionKind, frozenset[str]]] = {
    DecisionKind.MERGE: frozenset({"character", "other", "spans"}),
    DecisionKind.SPLIT: frozenset({"character", "name", "aliases", "spans", "pronouns"}),
    DecisionKind.RENAME: frozenset({"character", "name"}),
    DecisionKind.HIDE: frozenset({"character"}),
    DecisionKind.NARRATOR: frozenset({"character", "name", "spans"}),
    DecisionKind.SPEAKER: frozenset({"character", "spans"}),
    DecisionKind.MENTION: frozenset({"character", "other", "name", "aliases", "spans", "pronouns"}),
    DecisionKind.DISMISS: frozenset({"character", "other"}),
    DecisionKind.UNDO: frozenset({"undoes"}),
}
"""The fields of each kind."""


class SpanIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    start: int = Field(ge=0, le=2**31, description="Code-point offset in the text of the book.")
    end: int = Field(ge=0, le=2**31, description="Offset after the last character.")

    @model_validator(mode="after")
    def _forward(self) -> SpanIn:
        if self.end < self.start:
            raise ValueError("a span ends after it starts")
        return self


class DecisionIn(BaseModel):
    """A correction. Which fields it takes depends on `kind`; others are refused, unless they are empty."""

    model_config = ConfigDict(extra="forbid")
    kind: DecisionKind = Field(
        description=(
            "merge: merges `other` into `character`. If the book reveals only later that they are one, "
            "`spans` are where it does: with an `upto` before the end of these they stay two. "
            "split: moves what belongs to `character` and uses one of `aliases`, or lies within one of "
            "`spans`, to a new character named `name`. "
            "rename: shows `character` as `name`. hide: removes `character`, which is not a character. "
            "narrator: sets `character` as the “I” outside quotes, within `spans` or in the whole book. "
            "speaker: sets `character` as the speaker of the quotes at `spans`, each the whole span of a "
            "quote; null means unknown. "
            "mention: lets mentions of `other` (null: of nobody listed) refer to `character`: those that use "
            "one of `aliases`, lie within one of `spans`, or both if both are given. "
            "For a narrator or a mention, `name` without a `character` adds a new character, and neither "
            "means nobody. "
            "dismiss: confirms that `character` and `other` are different people, or without `other` that "
            "`character` is one person. "
            "undo: undoes the decision with the number `undoes`."
        )
    )
    character: str | None = Field(default=None, max_length=200, description="Id, name or alias.")
    other: str | None = Field(default=None, max_length=200, description="Id, name or alias.")
    name: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="The new name, of `character` or of a new character.",
    )
    aliases: list[str] = Field(
        default=[],
        max_length=100,
        description="Names, or nouns such as “the old man”, by which the book calls the character.",
    )
    spans: list[SpanIn] = Field(
        default=[],
        max_length=10_000,
        description="Places in the text of the book. What they mean depends on `kind`.",
    )
    undoes: int | None = Field(default=None, ge=1, le=2**31, description="`number` of a correction.")
    pronouns: bool = Field(
        default=False,
        description="Whether pronouns and quotes follow the mentions that a split or a mention moves.",
    )

    @model_validator(mode="after")
    def _takes(self) -> DecisionIn:
        """Refuses a field that would be ignored: to hide some `aliases` would hide the whole character."""
        given = (name for name in DecisionIn.model_fields if name != "kind" and getattr(self, name))
        if idle := [name for name in given if name not in USED[self.kind]]:
            raise ValueError(f"{self.kind} does not take {', '.join(f'`{name}`' for name in idle)}")
        return self

    def wanted(self) -> Decision:
        """The entry for the log, without a number."""
        return Decision(
            0,
            self.kind,
            self.character,
            self.other,
            self.name,
            tuple(self.aliases),
            tuple(Span(s.start, s.end) for s in self.spans),
            self.undoes,
            self.pronouns,
        )


class DecisionOut(Copy[Decision]):
    number: int = Field(description="Position in the log of the book, from 1.")
    kind: DecisionKind
    character: str | None = Field(description="Id of the character, also if a name was sent.")
    other: str | None = Field(description="Id of the other character, also if a name was sent.")
    name: str | None
    aliases: list[str]
    spans: list[SpanOut]
    undoes: int | None = Field(description="`number` of the correction that it undoes.")
    pronouns: bool = Field(description="Whether pronouns and quotes follow.")


class LoggedOut(DecisionOut):
    undone: bool = Field(description="Whether it was undone.")
    in_effect: bool = Field(
        description="False if it was undone, or if what it corrects is not there now: it came with a "
        "correction that was undone, or the book was read differently since."
    )
    character_name: str | None = Field(
        description="The name of `character`; the last one of somebody merged or hidden. Null without one."
    )
    other_name: str | None = Field(
        description="The name of `other`; the last one of somebody merged or hidden. Null without one."
    )
    place: PlaceOut | None = Field(description="The place of the first of `spans`.")

    @classmethod
    def of_entry(cls, entry: Logged) -> LoggedOut:
        told = dict(DecisionOut.of(entry.decision))
        named = {"character_name": entry.character, "other_name": entry.other}
        return cls.like(entry, **told, **named, place=entry.at)


class DecisionsOut(Out):
    items: list[LoggedOut] = Field(description="Oldest first.")


class CopyIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    book: str = Field(max_length=200, description="Id of the book that has the corrections.")


class NotCopiedOut(Out):
    correction: LoggedOut = Field(description="Of the other draft; `place` is there.")
    reason: str = Field(description="Why it does not fit the new text, in one sentence.")

    @classmethod
    def of_entry(cls, left: NotCopied) -> NotCopiedOut:
        return cls(correction=LoggedOut.of_entry(left.entry), reason=left.reason)


class CopiedOut(DecisionsOut):
    not_copied: list[NotCopiedOut] = Field(description="What could not be copied, or only in part.")
