"""Whom a pronoun may mean: all that it may go back to counts, each for whomever that one may mean itself.

Settling takes the likeliest each time, and hands one mistake on to all that follows. Here nothing is taken,
so that a conversation can tell who speaks where its pronouns leave that open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coref.names.person_candidates import MentionCandidate
from coref.speech.attributed_speech import Parties
from coref.types import MentionKind

_LEAST, _MOST = 0.02, 6
"""A share below this, and people beyond so many, are not remembered."""

Shares = Mapping[int, float]
"""By person; they add up to less than 1 where it may be somebody else."""


def shares_of(
    spots: Iterable[MentionCandidate], earlier: Iterable[Sequence[tuple[int, float]]], parties: Parties
) -> list[Shares]:
    """For each of all mentions, in the order in which `earlier` counts them; names are taken as settled."""
    found: list[Shares] = []
    for spot, before in zip(spots, earlier, strict=True):
        if spot.kind is MentionKind.PROPER:
            found.append({} if spot.who is None else {spot.who: 1.0})
            continue
        shares: dict[int, float] = {}
        for at, share in before:
            for who, part in found[at].items():
                if _may_be(spot, parties[who].gender):
                    shares[who] = shares.get(who, 0.0) + share * part
        likeliest = sorted(shares, key=lambda who: (-shares[who], who))[:_MOST]
        found.append({who: shares[who] for who in likeliest if shares[who] >= _LEAST})
    return found


def _may_be(spot: MentionCandidate, gender: str | None) -> bool:
    return spot.gender is None or gender is None or gender == spot.gender
