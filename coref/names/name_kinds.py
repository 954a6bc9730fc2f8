"""Decides which names are names of people.

A logistic regression over what the book shows of each name (`name_signs`). Its weights are learnt from casts
that readers drew up, by `bookworm train names`, and lie in `coref/data/name_kinds.json`.
"""

from __future__ import annotations

from typing import Final

from coref import odds
from coref.names.name_signs import FEATURES, Signs
from coref.names.name_uses import ProperName

BELIEVED: Final = 0.5
"""The least probability with which a name is taken for somebody's."""


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("name_kinds", FEATURES, of="name")


def believed(signs: Signs) -> set[ProperName]:
    """Return the names that are somebody's."""
    probabilities = shipped().probabilities(list(signs.values()))
    return {name for name, share in zip(signs, probabilities, strict=True) if share >= BELIEVED}
