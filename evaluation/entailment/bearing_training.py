"""Train what states of claim and evidence as wholes tell, on claims about excerpts of novels.

Those who wrote the claims were asked for traps that share many words with their excerpt, and for true claims
in other words. So that the weights do not learn this, the shares of common words are fitted beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from evaluation.entailment.examples import Example
from evaluation.metrics import logistic
from generation.checking.entailment.bearing import LAYERS, pair_vector
from generation.checking.entailment.encoder import encode_pairs
from generation.checking.entailment.entailment_head import Rows
from generation.checking.entailment.pair_encoding import FIRST_WORD, EncodedPair, encode

RIDGE: Final = 1e4
FOLDS: Final = 4
_FREE: Final = 30.0
"""What the shares of common words are multiplied by, so that the ridge hardly holds them."""
_WORDS: Final = 2
"""Number of columns that are about common words."""


def train(novels: Iterable[Iterable[Example]], *, tell: Callable[[str], object]) -> dict[str, Any]:
    """Return the file of the weights: with how well they tell true claims from others, by folds."""
    rows: list[Rows] = []
    made: list[Example] = []
    for examples in novels:
        told = [e for e in examples if e.case.evidence and e.case.claim.text.strip()]
        if told:
            rows.append(_columns(told))
            made += told
            tell(f"{told[0].novel}: {len(told)} claims with an excerpt")
    if not made:
        raise ValueError("there is no novel to train on")
    table = np.concatenate(rows)
    true = np.array([e.true for e in made], np.bool_)
    kinds, of = np.array([e.kind for e in made]), np.array([e.novel for e in made])
    names = sorted(set(of.tolist()))
    found = np.zeros(len(made))
    for fold in range(FOLDS):
        unseen = np.isin(of, names[fold::FOLDS])
        if unseen.any() and not unseen.all():
            found[unseen] = table[unseen, :-_WORDS] @ _weights(table[~unseen], true[~unseen])
    areas = {}
    for kind in sorted(set(kinds.tolist()) - {"true"}):
        part = np.isin(kinds, ["true", kind])
        areas[kind] = round(logistic.area_or_chance(found[part], true[part]), 3)
    counts = {kind: int((kinds == kind).sum()) for kind in sorted(set(kinds.tolist()))}
    story = {"novels": names, "examples": counts, "ridge": RIDGE, "area by folds": areas}
    weights = _weights(table, true)
    return {"trained": story, "weights": [float(f"{weight:.4g}") for weight in weights]}


def _weights(table: Rows, true: np.ndarray[Any, np.dtype[np.bool_]]) -> Rows:
    """Return the weights of the states, without those of the common words."""
    mean, spread = table.mean(0), table.std(0) + 1e-6
    rows = (table - mean) / spread
    rows[:, -_WORDS:] *= _FREE
    weights = logistic.fit(rows, true, ridge=RIDGE)[:-1]
    found: Rows = (weights / spread)[:-_WORDS].astype(np.float32)
    return found


def _columns(examples: list[Example]) -> Rows:
    pairs = [encode(e.case.claim, e.case.evidence) for e in examples]
    rows = [
        np.append(pair_vector(pair, hidden), _common(pair))
        for pair, hidden in zip(pairs, encode_pairs(pairs, LAYERS), strict=True)
    ]
    return np.array(rows, np.float32)


def _common(pair: EncodedPair) -> tuple[float, float]:
    """Return the share and the number of the claim's words that occur in the evidence."""
    said = {piece for piece in pair.pieces[1 : pair.claim - 1] if piece >= FIRST_WORD}
    there = said & set(pair.pieces[pair.claim :])
    return len(there) / max(1, len(said)), float(len(there))
