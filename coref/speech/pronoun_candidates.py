"""Soft resolution of pronouns: a pronoun inherits the referents of all its antecedents with their shares.

A hard choice of the likeliest antecedent passes one mistake on to all later mentions. Here nothing is chosen,
so that a conversation can show who speaks where its pronouns leave that open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coref.names.person_candidates import MentionCandidate
from coref.speech.attributed_speech import Parties
from coref.types import MentionKind

_LEAST, _MOST = 0.02, 6
"""Smallest share that is kept, and the maximum number of people kept."""

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
