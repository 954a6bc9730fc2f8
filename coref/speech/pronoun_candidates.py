"""Soft resolution of pronouns: a pronoun inherits the referents of all its antecedents with their shares.

A hard choice of the likeliest antecedent passes one mistake on to all later mentions. Here nothing is chosen,
so that a conversation can show who speaks where its pronouns leave that open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from coref.names.person_candidates import MentionCandidate
from coref.speech.attributed_speech import Parties
from coref.types import MentionKind

_LEAST, _MOST = 0.02, 6
"""Smallest share that is kept, and the maximum number kept."""

Meaning = TypeVar("Meaning", int, str)
"""The number of a person, or a noun."""

Shares = Mapping[int, float]
"""Shares keyed by person. They add up to less than 1 if somebody else may be meant."""


def shares_of(
    spots: Iterable[MentionCandidate], earlier: Iterable[Sequence[tuple[int, float]]], parties: Parties
) -> list[Shares]:
    """Return the shares of all mentions, in the order by which `earlier` numbers them.

    Names count as resolved.
    """
    found: list[Shares] = []
    for spot, before in zip(spots, earlier, strict=True):
        if spot.kind is MentionKind.PROPER:
            found.append({} if spot.who is None else {spot.who: 1.0})
            continue
        shares = passed_on(before, found)
        found.append(likeliest({who: s for who, s in shares.items() if _may_be(spot, parties[who].gender)}))
    return found


def passed_on(
    before: Iterable[tuple[int, float]], meant: Sequence[Mapping[Meaning, float]]
) -> dict[Meaning, float]:
    """Return what antecedents pass on of what each earlier mention means."""
    shares: dict[Meaning, float] = {}
    for at, share in before:
        for meaning, part in meant[at].items():
            shares[meaning] = shares.get(meaning, 0.0) + share * part
    return shares


def likeliest(shares: Mapping[Meaning, float]) -> dict[Meaning, float]:
    """Return the shares that are kept: the largest of those that are not too small."""
    most = sorted(shares, key=lambda meaning: (-shares[meaning], meaning))[:_MOST]
    return {meaning: shares[meaning] for meaning in most if shares[meaning] >= _LEAST}


def _may_be(spot: MentionCandidate, gender: str | None) -> bool:
    return spot.gender is None or gender is None or gender == spot.gender
