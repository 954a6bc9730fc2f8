"""Claims that their writer composed from sentences it cites: are they in them?"""

from __future__ import annotations

from collections.abc import Sequence

from generation.judges.features import Asked
from generation.judges.likeness import likeness
from generation.judges.material import Material

_ENOUGH = 0.7
"""Share of the content words that the cited sentences must have."""


def holds(asked: Asked, material: Sequence[Material]) -> bool:
    """The words are there, everybody named is there, and as much is denied there as in the claim."""
    cited = [m for m in material if m.cited and m.told is not None]
    told = [t for m in cited for t in (m.told, *m.near) if t is not None]
    here = [m.told for m in cited if m.told is not None]
    if not here or asked.subject is None:
        return False
    stems = frozenset().union(*(t.stems for t in here))
    people = frozenset().union(*(t.people for t in told))
    words = [likeness(s, stems) for s in asked.stems]
    share = sum(words) / len(words) if words else 1.0
    return share >= _ENOUGH and asked.told.people <= people and _same_polarity(asked, cited)


def _same_polarity(asked: Asked, cited: Sequence[Material]) -> bool:
    chief = asked.chief
    if chief is None:
        return not asked.told.denies
    met = [
        p
        for m in cited
        if m.told is not None
        for p in m.told.propositions
        if likeness(chief.stem, (p.stem,)) and (not chief.agents or not p.agents or chief.agents & p.agents)
    ]
    return any(p.denied == chief.denied for p in met) if met else not asked.told.denies
