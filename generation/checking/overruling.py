"""Readers' corrections of verdicts: which fact is meant, and which label then counts.

An overruling is stored for the words of a claim about somebody, not for its position in one answer, so it
holds in every later answer that says the same. It never reaches a reader who has read less than the person
who gave it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from generation.types import Claim, Fact, Label
from retrieval.sentences import flat


@dataclass(frozen=True, slots=True)
class Overruling:
    character: str | None
    """Id of the character that the claim is about."""
    text: str
    label: Label
    upto: int | None = None
    """How far its author had read, or None for the whole book."""

    def known_at(self, upto: int | None) -> bool:
        """Whether somebody who has read this far may see it."""
        return upto is None or (self.upto is not None and self.upto <= upto)


def identify(claim: Claim, *, upto: int | None) -> str:
    """Return the id of a claim, which depends on its words, its subject and the reader's position."""
    said = json.dumps([claim.subject, flat(claim.text), upto])
    return f"f_{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def overrule(facts: Sequence[Fact], given: Iterable[Overruling], *, upto: int | None) -> tuple[Fact, ...]:
    """Return the facts with the labels that readers gave; of several, that of who had read furthest."""
    furthest: dict[tuple[str | None, str], Overruling] = {}
    for one in given:
        key = (one.character, flat(one.text))
        if one.known_at(upto) and (key not in furthest or _depth(one) >= _depth(furthest[key])):
            furthest[key] = one

    def counted(fact: Fact) -> Fact:
        found = furthest.get((fact.claim.subject, flat(fact.claim.text)))
        return replace(fact, overruled=found.label if found else None)

    return tuple(counted(fact) for fact in facts)


def _depth(overruling: Overruling) -> float:
    return float("inf") if overruling.upto is None else overruling.upto
