"""What readers correct: a log of decisions that is replayed over whatever a resolver says.

The log is append-only; undoing is a decision too. Replaying is a pure function of annotations and log, so a
better resolver tomorrow still respects what a person said today.
"""

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
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log. Which fields matter depends on the kind:

    merge: `character` takes in `other`; split: the mentions that say one of `aliases`, or that lie at one of
    `spans`, leave `character` for a new one called `name`; rename: `character` is shown as `name`; hide:
    `character` is not a character; narrator: "I" outside quotes is `character`; undo: the decision with number
    `undoes` no longer counts.
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
