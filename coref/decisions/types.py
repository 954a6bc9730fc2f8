"""The entries of the log of decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from books.types import Span


class DecisionKind(StrEnum):
    MERGE = "merge"
    SPLIT = "split"
    RENAME = "rename"
    HIDE = "hide"
    NARRATOR = "narrator"
    SPEAKER = "speaker"
    MENTION = "mention"
    DISMISS = "dismiss"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A character as the resolver found them, whom other annotations may give another id."""

    character: str
    """The id of the character."""
    name: str
    named: bool
    """Whether the book ever calls them by name. If not, all their mentions count."""
    count: int
    """Number of all places where it does."""
    places: tuple[Span, ...]
    """Some of these places, spread over the book."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log. The fields that matter depend on the kind.

    merge: `other` becomes part of `character`, and `spans` are where the book reveals it, if that is late;
    split: what belongs to `character` and has one of `aliases` as its text, or lies within one of `spans`
    (mentions, and quotes that they speak), goes to a new character called `name`; rename: `character` is
    displayed as `name`; hide: `character` is not a character; narrator: "I" outside quotes is `character`,
    within `spans` or in the whole book; speaker: the quotes at `spans` are spoken by `character`, or by
    nobody known if that is None; mention: the mentions of `other` (of nobody listed if that is None) that use
    one of `aliases` and lie within `spans` mean `character`; without `aliases` whatever their text is,
    without `spans` wherever they are; dismiss: it is settled that `character` and `other` are two people,
    or without `other` that `character` is one person;
    undo: the decision with number `undoes` no longer counts.

    Of a narrator or a mention, `name` without a `character` is somebody new, and neither is nobody listed.
    """

    number: int
    """Position in the book's log, counted from 1."""
    kind: DecisionKind
    character: str | None = None
    other: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    undoes: int | None = None
    pronouns: bool = False
    """Whether pronouns and quotes follow the mentions that a split or a mention moves."""
    sightings: tuple[Sighting, ...] = field(default=(), compare=False)
    """Of `character` and `other`, when the decision was made."""

    @property
    def revealed(self) -> int:
        """The offset at which the book has revealed a merge; 0 if it is no secret."""
        return max((s.end for s in self.spans), default=0) if self.kind is DecisionKind.MERGE else 0


@dataclass(frozen=True, slots=True)
class SkippedDecision:
    """A decision that could not be applied to these annotations, and the reason."""

    decision: Decision
    reason: str
