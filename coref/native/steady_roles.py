"""Who is known by what they are: nouns that the network resolves to themselves, as it does with names.

`The artilleryman` leads back to the artilleryman of before. `The girl` leads to whichever girl was named
last, and `the man` to another man each time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from coref.names.person_candidates import HE, SHE, THEY
from coref.native.antecedents import Link
from coref.native.mention_candidates import NetworkMention
from coref.speech.pronoun_candidates import likeliest, passed_on
from coref.types import EntityCategory, MentionKind

_FEW = 5
"""Uses with `the` in the narration, and pronouns, below which the shares say little."""
_OWN, _NAMED = 0.5, 0.2
"""Least mean share that leads back to the noun itself, and the highest that leads to people with names."""
_ONE = 3.0
"""How much `he` and `she` must outweigh `they` among the pronouns that lead to the noun."""
_SOMEBODY = ""
"""Stands for all people with names."""

Total = dict[str, float]


def steady_roles(every: Iterable[NetworkMention], earlier: Iterable[Sequence[Link]]) -> set[str]:
    """Return the nouns that are one person's through the book."""
    counts: Counter[str] = Counter()
    told: Counter[str] = Counter()
    led: dict[str, Total] = defaultdict(lambda: defaultdict(float))
    pronouns: dict[str, Total] = defaultdict(lambda: defaultdict(float))
    meant: list[Total] = []
    for spot, before in zip(every, earlier, strict=True):
        if spot.options:
            meant.append({_SOMEBODY: 1.0})
            continue
        shares = passed_on(before, meant)
        if _is_definite(spot):
            counts[spot.head] += 1
            told[spot.head] += spot.quote < 0
            for key, share in shares.items():
                led[spot.head][key] += share
            new = max(0.0, 1 - sum(shares.values()))
            shares[spot.head] = shares.get(spot.head, 0.0) + new
        elif spot.kind is MentionKind.PRONOUN:
            for noun, share in shares.items():
                pronouns[noun][spot.head] += share
        meant.append(likeliest(shares))
    return {
        noun
        for noun, count in counts.items()
        if told[noun] >= _FEW
        and led[noun][noun] >= _OWN * count
        and led[noun][_SOMEBODY] <= _NAMED * count
        and _is_one(pronouns[noun])
    }


def _is_definite(spot: NetworkMention) -> bool:
    person = spot.category is EntityCategory.PERSON and spot.kind is MentionKind.NOMINAL
    return person and spot.definite and not spot.several


def _is_one(pronouns: Total) -> bool:
    one = pronouns[HE] + pronouns[SHE]
    return one >= _FEW and one >= _ONE * pronouns[THEY]
