"""The probability that a mention means its character, decided once for the whole program.

A logistic regression over what the resolver knows of a mention, with its own weights for each sort of
mention: the shares of the network and whether the rules agree, how far back the name is and who else has been
mentioned since, and in speech how certain its speaker is. The weights are learnt from LitBank by `bookworm
train certainty` and lie in `coref/data/certainty.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from coref.names.person_candidates import HE, ME, SHE, YOU
from coref.types import MentionKind
from coref.weights_file import as_json, weights_in

FORMAT = 1
PLACE = files("coref").joinpath("data/certainty.json")
LEAST, MOST = 0.01, 0.995
"""The bounds of the probabilities. The training data are too few for anything beyond."""
_LONG_AGO = 20_000
"""The distance, in characters of text, of a name that has not been used yet."""
_MANY = 6
"""More rivals than this count as so many."""
_EDGE = 0.005
"""Shares are cut here before their logarithms are taken."""

Matrix = NDArray[np.float64]


class MentionSort(StrEnum):
    """The sorts of mentions with their own weights."""

    NAME = "name"
    NOUN = "noun"
    THIRD = "he or she, narrated"
    THIRD_QUOTED = "he or she, quoted"
    FIRST = "I, narrated"
    FIRST_QUOTED = "I, quoted"
    SECOND = "you"
    OTHER = "other pronouns"


@dataclass(frozen=True, slots=True)
class MentionFacts:
    """What the resolver knows of one mention and its person."""

    sort: MentionSort
    raw: float
    """The person's share of all weights, the rules' included; 1 for what is known in advance."""
    support: float
    """The person's share of the network's weights alone."""
    margin: float
    """How much larger that is than the share of anything else."""
    agreed: int
    """1 if the rules take it for the same person, -1 if for another, 0 if for nobody."""
    through: float
    """The person's share through all antecedents, each as uncertain as it is."""
    distance: int | None
    """Characters of text since the last name of the person; None before the first."""
    rivals: int
    """Other people of a fitting gender named since then."""
    gap: int | None
    """Characters of text since the last mention of the person of any sort."""
    topic: bool
    """Whether the last subject of a sentence that fits is the person."""
    company: float
    """The person's part of the last mentions of people of a fitting gender."""
    presence: float
    """The person's part of all mentions."""
    subject: bool = False
    """Whether the mention is a subject."""
    gendered: bool = False
    """Whether the person's gender is known."""
    bearers: int = 1
    """The number of people who bear this name."""
    bare: bool = False
    """Whether it is one word: a given name or a surname alone."""
    indefinite: bool = False
    """Whether a noun has no article, or not `the`: `a man`."""
    newcomer: bool = False
    """Whether another person of a fitting gender has just been named for the first time."""
    speaker: float = 0.0
    """In speech, the probability of its speaker."""
    turn: bool = False
    """Whether the person is that speaker, or for `you` the addressee."""
    named: bool = True
    """Whether the person has a name at all."""
    told: bool = False
    """Whether the person narrates this paragraph."""
    letter: bool = False
    """Whether the paragraph is narrated by another than most of the book is."""


def sort_of(kind: MentionKind, head: str, *, quoted: bool) -> MentionSort:
    """Return the sort of a mention. `head` is the class of a pronoun."""
    if kind is MentionKind.PROPER:
        return MentionSort.NAME
    if kind is MentionKind.NOMINAL:
        return MentionSort.NOUN
    if head in (HE, SHE):
        return MentionSort.THIRD_QUOTED if quoted else MentionSort.THIRD
    if head == ME:
        return MentionSort.FIRST_QUOTED if quoted else MentionSort.FIRST
    return MentionSort.SECOND if head == YOU else MentionSort.OTHER


FEATURES = (
    "raw",
    "support",
    "margin",
    "agrees",
    "disagrees",
    "through",
    "distance",
    "unnamed yet",
    "rivals",
    "gap",
    "topic",
    "company",
    "presence",
    "subject",
    "gendered",
    "bearers",
    "bare",
    "indefinite",
    "newcomer",
    "speaker",
    "turn",
    "named",
    "told",
    "letter",
)


def features(facts: Sequence[MentionFacts]) -> Matrix:
    """Return one row per mention, with the columns of `FEATURES` on similar scales."""
    columns = np.array(
        [
            (
                f.raw,
                f.support,
                f.margin,
                f.agreed > 0,
                f.agreed < 0,
                f.through,
                _LONG_AGO if f.distance is None else f.distance,
                f.distance is None,
                f.rivals,
                _LONG_AGO if f.gap is None else f.gap,
                f.topic,
                f.company,
                f.presence,
                f.subject,
                f.gendered,
                f.bearers,
                f.bare,
                f.indefinite,
                f.newcomer,
                f.speaker,
                f.turn,
                f.named,
                f.told,
                f.letter,
            )
            for f in facts
        ],
        dtype=np.float64,
    ).reshape(len(facts), len(FEATURES))
    at = {name: number for number, name in enumerate(FEATURES)}
    for name in ("raw", "support", "through", "speaker"):
        columns[:, at[name]] = _logit(columns[:, at[name]]) / 4
    for name in ("distance", "gap"):
        columns[:, at[name]] = np.log1p(np.clip(columns[:, at[name]], 0, _LONG_AGO)) / 5
    columns[:, at["rivals"]] = np.minimum(columns[:, at["rivals"]], _MANY) / 3
    columns[:, at["presence"]] = np.log(columns[:, at["presence"]] + 1e-3) / 4
    columns[:, at["bearers"]] = np.log(np.maximum(columns[:, at["bearers"]], 1))
    return columns


def _logit(share: Matrix) -> Matrix:
    cut = np.clip(share, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(cut) - np.log1p(-cut))


@dataclass(frozen=True, slots=True)
class CertaintyModel:
    weights: Mapping[MentionSort, Sequence[float]]
    """For each sort the bias, then a weight for each of `FEATURES`."""

    def probabilities(self, facts: Sequence[MentionFacts]) -> Matrix:
        """Return for each mention the probability that it means its person."""
        if not facts:
            return np.zeros(0)
        table = np.array([self.weights[sort] for sort in MentionSort])
        numbers = {sort: number for number, sort in enumerate(MentionSort)}
        own = table[[numbers[f.sort] for f in facts]]
        scores = own[:, 0] + (own[:, 1:] * features(facts)).sum(axis=1)
        return np.asarray(np.clip(1 / (1 + np.exp(-scores)), LEAST, MOST))


def write(model: CertaintyModel, trained: Mapping[str, object]) -> str:
    """Return the model as JSON. `trained` describes its training data and results for human readers."""
    weights = {
        sort.value: {
            name: round(float(weight), 5) for name, weight in zip(("bias", *FEATURES), own, strict=True)
        }
        for sort, own in model.weights.items()
    }
    return as_json(weights, version=FORMAT, trained=trained)


@cache
def shipped() -> CertaintyModel:
    """Return the weights that come with the package."""
    return read(PLACE.read_text(encoding="utf-8"))


def read(text: str) -> CertaintyModel:
    weights = weights_in(text, version=FORMAT, of="certainty")
    return CertaintyModel(
        {sort: [float(weights[sort.value][name]) for name in ("bias", *FEATURES)] for sort in MentionSort}
    )
