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
    """One entry of the log. Which fields matter depends on the kind:

    merge: `character` takes in `other`; split: the mentions that say one of `aliases`, or that lie at one of
    `spans`, leave `character` for a new one called `name` (a span that is a quote moves its speaker);
    rename: `character` is shown as `name`; hide: `character` is not a character; narrator: "I" outside quotes
    is `character`; speaker: the quotes at `spans` are spoken by `character`, or nobody knows by whom when it
    is None; dismiss: there is no doubt any more whether `character` and `other` are one, they are two;
    undo: the decision with number `undoes` no longer counts.
    """

    number: int
    """Position in the book's log, from 1."""
    kind: DecisionKind
    character: str | None = None
    other: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class SkippedDecision:
    """A decision that could not be carried out on these annotations, and why."""

    decision: Decision
    reason: str
