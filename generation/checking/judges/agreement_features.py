"""Compute features of how well the book agrees with a claim. The offline judge weighs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generation.checking.judges.propositions import Proposition, ReadSentence
from generation.checking.judges.word_similarity import likeness, opposites
from generation.checking.types import NOWHERE, Case, Evidence

_NEAR = 0.85
"""Factor of a predicate in the sentence before or after."""
_PLACE, _CLAUSE = 0.35, 0.65
"""Weights of the words of the whole place and of the one clause in an agreement."""
_AMISS = 0.6
"""Factor of an agreement if somebody is missing, or if the book's statement is only possible."""


@dataclass(frozen=True, slots=True)
class ComparableClaim:
    """A claim prepared for comparison with sentences."""

    told: ReadSentence
    subject: str | None
    stems: tuple[str, ...]
    """Its content words without names."""
    chief: Proposition | None

    @property
    def others(self) -> frozenset[str]:
        return self.told.people - {self.subject or ""}


@dataclass(slots=True)
class PredicateAgreement:
    """Agreement of the claim's main predicate with the book, as values from 0 to 1 with their best places."""

    agreed: float = 0.0
    """The same predicate with the same people."""
    elsewhere: float = 0.0
    """The same predicate with somebody else."""
    denied: float = 0.0
    """The same predicate, denied by one of the two."""
    swapped: float = 0.0
    """The same predicate with subject and object exchanged."""
    opposite: float = 0.0
    """The opposite word about the same person."""
    miscounted: float = 0.0
    """The same predicate with the same people and another number."""
    attributed: float = 0.0
    """The attribute is stated of the subject."""
    places: dict[str, Evidence] = field(default_factory=dict)
    """The best place for each of these."""

    def rise(self, name: str, value: float, where: Evidence) -> None:
        if value > getattr(self, name):
            setattr(self, name, value)
            self.places[name] = where


SIGNS = {
    "words": 1, "joint": 1, "ratio": 1, "standing": 1, "others": 1, "subject near": 1, "subject there": 1,
    "others near": 1, "missing": -1, "agreed": 1, "agreed squared": 1, "elsewhere over": -1, "elsewhere": -1,
    "denied": -1, "swapped": -1, "opposite": -1, "miscounted": -1, "attributed": 1, "many words": 0,
    "standing there": 1, "standing here": 1, "agreed, standing": 1, "claim denies": -1, "nominal": 0,
    "same words": 1, "same words, otherwise": -1, "cited": 1,
}  # fmt: skip
"""The features of `numbers`, in order. The sign of each weight must be this one, or any if it is 0."""


def numbers(asked: ComparableClaim, case: Case, met: PredicateAgreement, *, lexical: float) -> list[float]:
    """Return the features of a case in the order of `SIGNS`.

    `lexical` is 1 if the comparison of words supports the claim, -1 if it contradicts it, and 0 otherwise.
    """
    s = case.occurrences or NOWHERE
    standing = s.standing * s.others
    return [
        s.words, s.joint, s.joint / s.words if s.words else 0.0, s.standing, s.others, s.subject_near,
        s.subject_there, s.others_near, s.missing, met.agreed, met.agreed**2,
        max(0.0, met.elsewhere - met.agreed), met.elsewhere, met.denied, met.swapped, met.opposite,
        met.miscounted, met.attributed, min(len(asked.stems), 6) / 6, standing * s.words,
        standing * s.joint**3, met.agreed * s.standing, float(asked.told.denies),
        float(bool(asked.chief and asked.chief.nominal)), max(0.0, lexical), max(0.0, -lexical),
        max((m.words for m in case.cited), default=0.0),
    ]  # fmt: skip


def meet(asked: ComparableClaim, sentences: Sequence[Evidence]) -> PredicateAgreement:
    met = PredicateAgreement()
    for place in sentences:
        if place.told is not None:
            _clash(asked, place, place.told, met)
            for told, worth in ((place.told, 1.0), *((n, _NEAR) for n in place.near)):
                for p, alike in _alike(asked, told):
                    _weigh(asked, p, told, worth * alike, place, met)
    return met


def _alike(asked: ComparableClaim, told: ReadSentence) -> Iterator[tuple[Proposition, float]]:
    """Yield the predicates that are similar to the claim's main one, with their similarity."""
    for p in told.propositions if asked.chief is not None else ():
        if alike := likeness(asked.chief.stem, (p.stem,)) if asked.chief else 0.0:
            yield p, alike


def _clash(asked: ComparableClaim, place: Evidence, here: ReadSentence, met: PredicateAgreement) -> None:
    if asked.subject in here.people:
        there = here.stems
        if any(s not in there and not opposites(s).isdisjoint(there) for s in asked.stems):
            met.rise("opposite", place.words, place)


def _weigh(
    asked: ComparableClaim,
    p: Proposition,
    told: ReadSentence,
    alike: float,
    place: Evidence,
    met: PredicateAgreement,
) -> None:
    chief = asked.chief
    assert chief is not None
    inside = sum(likeness(s, p.stems) for s in asked.stems) / len(asked.stems) if asked.stems else 0.0
    found = alike * (_PLACE * place.words + _CLAUSE * inside) if len(asked.stems) > 1 else alike
    if chief.agents & p.agents or (not chief.agents and chief.patients & p.patients):
        _agreeing(asked, chief, p, told, found, place, met)
    elif chief.agents and p.agents:
        met.rise("elsewhere", found, place)
        if chief.agents & p.patients and (chief.patients | asked.others) & p.agents:
            met.rise("swapped", found, place)
    elif not chief.agents and chief.patients and p.patients:
        met.rise("elsewhere", found, place)


def _agreeing(
    asked: ComparableClaim,
    chief: Proposition,
    p: Proposition,
    told: ReadSentence,
    found: float,
    place: Evidence,
    met: PredicateAgreement,
) -> None:
    around = p.patients | p.others
    if chief.agents and chief.patients and not chief.patients & around:
        found *= _AMISS
    if asked.others and not asked.others & (around | p.agents | told.people):
        found *= _AMISS
    if p.modal and not chief.modal:
        found *= _AMISS
    if p.denied != chief.denied:
        met.rise("denied", found, place)
    elif asked.told.numbers - told.numbers and told.numbers:
        met.rise("miscounted", found, place)
    else:
        met.rise("agreed", found, place)
        if chief.nominal and p.nominal:
            met.rise("attributed", found, place)
