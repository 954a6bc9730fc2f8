"""How likely a quotation says who a character is: what they are, whose they are, or what they are like.

A regression over what the trained eye says of it, learnt from readers by `bookworm train introductions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

from coref import odds
from generation.story.quotation import Quotation
from retrieval.types import Category

FEATURES: Final = ("about", "telling", "alone", *(category.value for category in Category))
SHOWN: Final = 0.2
"""Probability from which a quotation stands for somebody in a list of characters."""
_LEAST: Final = 1e-4
"""Probabilities are kept this far from 0 and 1."""


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("introductions", FEATURES, of="introduction", package="generation")


def say_who(quotations: Sequence[Quotation]) -> list[float]:
    """Return for each quotation the probability that it says who the character is."""
    return shipped().probabilities([signs(q) for q in quotations]).tolist() if quotations else []


def signs(quotation: Quotation) -> list[float]:
    """Return the features of a quotation: log odds."""
    sure = quotation.certainty * quotation.alone
    telling = quotation.worth / sure if sure else 0.0
    of_all = (quotation.certainty, telling, quotation.alone)
    return [*map(_log_odds, of_all), *(quotation.by_category[category] for category in Category)]


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return log(kept / (1 - kept))
