"""Compare a claim about the relation between two people with everything the book says about the two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generation.checking.judges.agreement_features import ComparableClaim
from generation.checking.types import Case, Evidence
from generation.story.ties.relation_words import RelationType, meant_by, relation_words
from generation.story.types import TieKind
from generation.verbs import stem

_FULL = 2.0
"""Votes of a relation in the dossier, which weighs all mentions. A sentence has one vote."""
_PLAIN = 1.5
"""Votes of a sentence with the relation as predicate: "he was her cousin"."""
_HALF = 0.35
"""Votes of a relation whose holder is not named, if the other person is mentioned nearby."""


@dataclass(frozen=True, slots=True)
class ClaimedKinship:
    """A claimed or stated relation of the holder to the owner."""

    relation: RelationType
    holder: str
    owner: str


@dataclass(slots=True)
class KinshipVotes:
    same: float = 0.0
    other: float = 0.0
    """Votes for another family relation, if the claim is about one."""
    places: list[Evidence] = field(default_factory=list)
    against: list[Evidence] = field(default_factory=list)


def tied(asked: ComparableClaim) -> ClaimedKinship | None:
    """Return the relation that a claim states between its subject and the one other person it names."""
    for tie in asked.told.ties:
        found = meant_by(tie.lemma)
        if found and tie.holder and tie.owner:
            return ClaimedKinship(found[0], tie.holder, tie.owner)
    chief = asked.chief
    if chief is None or not chief.nominal or len(asked.others) != 1 or asked.subject not in chief.agents:
        return None
    meant = next((m for word in relation_words() if stem(word) == chief.stem and (m := meant_by(word))), None)
    if meant is None or meant[0].kind is not TieKind.KIN or asked.subject is None:
        return None  # the housekeeper at Pemberley is nobody's relation
    return ClaimedKinship(meant[0], asked.subject, next(iter(asked.others)))


def vote(claim: ClaimedKinship, case: Case) -> KinshipVotes:
    votes = KinshipVotes()
    for bond in case.relations:
        meant = meant_by(bond.tie.term)
        if meant is not None and bond.tie.other is not None:
            cited = {c.span.start for c in bond.tie.citations}
            where = [m for m in case.sentences if m.span.start in cited]
            seen = ClaimedKinship(meant[0], bond.holder, bond.tie.other)
            _count(votes, claim, seen, _FULL * bond.tie.confidence, where)
    for place in case.sentences:
        for seen, weight in _sightings(claim, place):
            _count(votes, claim, seen, weight, [place])
    return votes


def _count(
    votes: KinshipVotes,
    claim: ClaimedKinship,
    seen: ClaimedKinship,
    weight: float,
    where: Sequence[Evidence],
) -> None:
    name = seen.relation.name if seen.holder == claim.holder else seen.relation.inverse
    if name == claim.relation.name:
        votes.same += weight
        votes.places += where
    elif name is not None and claim.relation.kind is seen.relation.kind is TieKind.KIN:
        votes.other += weight
        votes.against += where


def _sightings(claim: ClaimedKinship, place: Evidence) -> Iterator[tuple[ClaimedKinship, float]]:
    here = place.told
    pair = {claim.holder, claim.owner}
    for tie in here.ties if here is not None else ():
        meant = meant_by(tie.lemma)
        if meant is None or tie.owner not in pair:
            continue
        other = claim.holder if tie.owner == claim.owner else claim.owner
        if tie.holder == other:
            yield ClaimedKinship(meant[0], other, tie.owner), _PLAIN if tie.predicate else 1.0
        elif tie.holder is None and any(other in told.people for told in (here, *place.near) if told):
            yield ClaimedKinship(meant[0], other, tie.owner), _HALF
