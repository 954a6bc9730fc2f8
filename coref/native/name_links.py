"""What the network's links lead back to each name: `he` and `she` to a person's, `it` to a ship's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from coref.names.name_signs import ITSELF, NOUN, LedBack
from coref.names.name_uses import NameUse, ProperName
from coref.native.antecedents import Link
from coref.native.mention_candidates import NetworkMention
from coref.speech.pronoun_candidates import likeliest, passed_on
from coref.types import MentionKind


def led_back(
    every: Iterable[NetworkMention],
    earlier: Iterable[Sequence[Link]],
    uses: Sequence[NameUse],
    holders: Sequence[NetworkMention | None],
) -> LedBack:
    """Return how many mentions of each sort lead back to each name, through pronouns and nouns between."""
    names = list(dict.fromkeys(use.name for use in uses))
    number = {name: at for at, name in enumerate(names)}
    held = {s.at: number[use.name] for use, s in zip(uses, holders, strict=True) if s is not None}
    found: dict[ProperName, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    meant: list[dict[int, float]] = []
    for spot, before in zip(every, earlier, strict=True):
        shares = passed_on(before, meant)
        name = held.get(spot.at)
        if name is not None:
            found[names[name]][ITSELF] += shares.get(name, 0.0)
            meant.append({name: 1.0})
            continue
        if spot.kind is not MentionKind.PROPER:
            sort = spot.head if spot.kind is MentionKind.PRONOUN else NOUN
            for each, share in shares.items():
                found[names[each]][sort] += share
        meant.append(likeliest(shares))
    return found
