"""The spoiler gate for corrected annotations: who turn out to be one are two until the book says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from coref.decisions.log import standing
from coref.decisions.reassigning import newcomer
from coref.decisions.types import Decision, DecisionKind
from coref.gate import gate
from coref.types import Annotations


def gated(
    corrected: Annotations,
    log: Sequence[Decision],
    *,
    replayed: Callable[[tuple[Decision, ...]], Annotations],
    upto: int | None,
) -> Annotations:
    """Return `corrected`, the annotations with `log` replayed, as if the book ended at `upto`.

    `replayed` returns them with another log.
    """
    known = known_by(log, upto)
    return gate(corrected if known == tuple(log) else replayed(known), upto=upto)


def known_by(log: Sequence[Decision], upto: int | None) -> tuple[Decision, ...]:
    """Return the log without what the book reveals after `upto`.

    Until a merge is revealed, its two are two people, as if that were settled. A name that somebody gave the
    one person since is not known, and a mention taken from the one person is taken from whichever has it.
    """
    joined: dict[str | None, list[str | None]] = {}
    known = []
    for decision in standing(log) if upto is not None else ():
        kind, character, other = decision.kind, decision.character, decision.other
        if decision.revealed > (upto or 0):
            joined.setdefault(character, []).append(other)
            known.append(replace(decision, kind=DecisionKind.DISMISS))
        elif kind is DecisionKind.RENAME and character in joined:
            continue
        elif kind is DecisionKind.MENTION and other in joined and newcomer(decision) is None:
            known += [replace(decision, other=one) for one in (other, *joined[other])]
        else:
            if kind is DecisionKind.MERGE and other in joined:
                joined.setdefault(character, []).extend(joined[other])
            known.append(decision)
    return tuple(known) if joined else tuple(log)
