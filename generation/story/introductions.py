"""How likely a sentence says who a character is: what they are, whose they are, or what they are like.

A regression over what the trained eye says of it, learnt from readers by `bookworm train introductions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

from coref import odds
from retrieval.types import Category, TellingSentence

FEATURES: Final = ("about", "telling", "alone", *(category.value for category in Category))
SHOWN: Final = 0.07
"""Probability from which a sentence stands for somebody in a list of characters."""
OWN_SHOWN: Final = 0.3
"""The same for what they say themselves. Of 26 other sentences that are so likely readers said of 16 that
they say who it is, and of 9 that they half do; of sentences with "I" they read only four.
"""
_LEAST: Final = 1e-4
"""Probabilities are kept this far from 0 and 1."""


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("introductions", FEATURES, of="introduction", package="generation")


def say_who(sentences: Sequence[TellingSentence]) -> list[float]:
    """Return the probability that each sentence says who the character is: 0 if it is not `introducing`."""
    found: list[float] = shipped().probabilities([signs(each) for each in sentences]).tolist()
    return [p if each.introducing else 0.0 for p, each in zip(found, sentences, strict=True)]


def signs(sentence: TellingSentence) -> list[float]:
    """Return the features of a sentence: log odds."""
    of_all = (sentence.certainty, sentence.telling, sentence.alone)
    return [*map(_log_odds, of_all), *(sentence.by_category[category] for category in Category)]


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return log(kept / (1 - kept))
