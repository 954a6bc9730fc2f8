"""The probability that two characters are one person.

A logistic regression over what the book shows of the two (`person_pairs`). Its weights are learnt from casts
that readers drew up, by `bookworm train people`, and lie in `coref/data/one_person.json`.
"""

from __future__ import annotations

from typing import Final

from coref import odds
from coref.names.person_pairs import FEATURES

ASKED: Final = 0.15
"""The least probability of which a reader is asked."""
JOINED: Final = 0.65
"""The least probability with which two are joined without asking.

To list one person twice is as bad as to mix two.
"""


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("one_person", FEATURES, of="one-person")
