"""Align a claim with its evidence: each piece of the claim with the piece that is nearest to it.

Pieces are compared by their hidden states, which depend on what stands around them. "Alex" as the one who
gives is nearer to "Alex" who gave than to "Alex" who was given something.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from generation.checking.entailment.pair_encoding import FIRST_WORD, EncodedPair, pieces_of
from generation.checking.entailment.written_evidence import OTHERS, SUBJECT

_LAST: Final = 30_522
_NEGATIONS: Final = "not never no nobody nothing neither nor without cannot none t"
_MODALS: Final = "would could should might may if perhaps wish must shall will"


@dataclass(frozen=True, slots=True)
class ClaimAlignment:
    """How well the claim's pieces are matched, in the best sentence and in all of them.

    Values are means weighed by rarity unless their names say otherwise.
    """

    best: float
    whole: float
    best_least: float
    best_three_least: float
    whole_least: float
    whole_three_least: float
    same_best: float
    """Share of pieces that occur in the sentence that has most of them."""
    same_whole: float
    sentences: float
    """Mean over all sentences."""
    subject: float
    """Similarity of the subject's place in the claim and in the best sentence."""
    subject_there: float
    others: float
    others_there: float
    denied: float
    evidence_denied: float
    denial_differs: float
    modal: float
    """Whether the best sentence has a modal verb or an "if"."""
    meaning: float
    """Similarity of the claim and the best sentence as wholes."""
    same_weight: float
    """`same_whole` as a number of pieces, by tens."""


NOTHING: Final = ClaimAlignment(*(0.0,) * 19)
_Places = list[int]


def align(
    pair: EncodedPair, hidden: Tensor, centre: NDArray[np.float32]
) -> tuple[ClaimAlignment, int | None]:
    """Return the alignment, and the index of the best sentence. `centre` is subtracted from the states."""
    pieces = pair.pieces
    claim = list(range(1, pair.claim - 1))
    others = pieces_of(" ".join(OTHERS))
    people = (*pieces_of(SUBJECT), *others)
    content = [at for at in claim if pieces[at] not in people and pieces[at] >= FIRST_WORD]
    if not content or not pair.sentences:
        return NOTHING, None
    states = hidden.float().numpy() - centre
    states /= np.linalg.norm(states, axis=1, keepdims=True) + 1e-9
    near = states[claim[0] : claim[-1] + 1] @ states.T
    rows = near[[at - claim[0] for at in content]]
    matched = np.stack([rows[:, a:b].max(1) for a, b in pair.sentences], 1)
    same = np.array([[pieces[at] in pieces[a:b] for a, b in pair.sentences] for at in content], np.float32)
    weights = np.array([_rarity(pieces[at]) for at in content])
    weights /= weights.sum()
    by_sentence = weights @ matched
    chosen = int(by_sentence.argmax())
    start, end = pair.sentences[chosen]
    inside = range(start, end)
    anywhere = matched.max(1)
    subject, subject_there = _role(pieces_of(SUBJECT)[0], pieces, claim, inside, near)
    named = [piece for piece in others if piece in pieces[1 : pair.claim]]
    roles = [_role(piece, pieces, claim, inside, near) for piece in named]
    denied, evidence_denied = (
        any(pieces[at] in pieces_of(_NEGATIONS) for at in places) for places in (claim, inside)
    )
    said, told = states[content].mean(0), states[start:end].mean(0)
    return ClaimAlignment(
        best=float(by_sentence.max()),
        whole=float(weights @ anywhere),
        best_least=float(matched[:, chosen].min()),
        best_three_least=float(np.sort(matched[:, chosen])[:3].mean()),
        whole_least=float(anywhere.min()),
        whole_three_least=float(np.sort(anywhere)[:3].mean()),
        same_best=float((weights @ same).max()),
        same_whole=float(weights @ same.max(1)),
        sentences=float(by_sentence.mean()),
        subject=subject,
        subject_there=subject_there,
        others=sum(r[0] for r in roles) / max(1, len(roles)),
        others_there=sum(r[1] for r in roles) / max(1, len(roles)),
        denied=float(denied),
        evidence_denied=float(evidence_denied),
        denial_differs=float(denied != evidence_denied),
        modal=float(any(pieces[at] in pieces_of(_MODALS) for at in inside)),
        meaning=float(said @ told / (np.linalg.norm(said) * np.linalg.norm(told) + 1e-9)),
        same_weight=float(weights @ same.max(1)) * len(content) / 10,
    ), chosen


def _role(
    piece: int, pieces: tuple[int, ...], claim: _Places, inside: range, near: NDArray[np.float32]
) -> tuple[float, float]:
    """Return the similarity of a person's places in claim and sentence, and whether there are any."""
    said = [at - claim[0] for at in claim if pieces[at] == piece]
    told = [at for at in inside if pieces[at] == piece]
    return (float(near[np.ix_(said, told)].max()), 1.0) if said and told else (0.0, 0.0)


def _rarity(piece: int) -> float:
    return max(0.1, log(piece - FIRST_WORD + 2) / log(_LAST - FIRST_WORD))
