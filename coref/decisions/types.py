"""The entries of the log of decisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from books.types import Span


class DecisionKind(StrEnum):
    MERGE = "merge"
    SPLIT = "split"
    RENAME = "rename"
    HIDE = "hide"
    NARRATOR = "narrator"
    SPEAKER = "speaker"
    DISMISS = "dismiss"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log. The fields that matter depend on the kind.

    merge: `other` becomes part of `character`; split: the mentions whose text is one of `aliases`, or that
    lie at one of `spans`, leave `character` for a new one called `name` (a span of a quote moves its
    speaker); rename: `character` is displayed as `name`; hide: `character` is not a character; narrator: "I"
    outside quotes is `character`; speaker: the quotes at `spans` are spoken by `character`, or by nobody
    known if that is None; dismiss: it is settled that `character` and `other` are two people; undo: the
    decision with number `undoes` no longer counts.
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


@dataclass(frozen=True, slots=True)
class SkippedDecision:
    """A decision that could not be applied to these annotations, and the reason."""

    decision: Decision
    reason: str
