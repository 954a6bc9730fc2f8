"""The candidate pairs of mentions in a passage: only those that can matter are compared.

A mention refers back to one of the latest mentions, or to one with similar words. All others are left out:
there are ten times as many, and their shares would be next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag, relu

from coref.native import steady_shapes
from coref.native.document import Document, Range
from coref.native.network import LiteraryNetwork, PairScorer
from coref.native.pair_features import chosen_features, words_alike

NEAR = 64
"""Number of preceding mentions that each mention is compared with."""
_AT_ONCE = 8_192
"""Pairs per chunk, which fits the processor's cache better than all pairs."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Columns with one entry per pair: the shares that a mention gives to all earlier ones."""

    later: Tensor
    earlier: Tensor
    share: Tensor
    new: Tensor
    """The share of being new, with one entry per mention."""


def shares_of(
    network: LiteraryNetwork, document: Document, spans: Sequence[Range], vectors: Tensor, *, first: int = 0
) -> Shares:
    """Return the shares of the mentions from `first` on. Those before are only antecedents."""
    later, earlier = _candidates(document, spans, first)
    scores = torch.empty(len(later))
    columns = chosen_features(document, spans, later, earlier)
    sides = (
        steady_shapes.apply(network.pairs.later, vectors),
        steady_shapes.apply(network.pairs.earlier, vectors),
    )
    for at in range(0, len(later), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        some = scores[part]
        pairs = [
            steady_shapes.rounded_pairs(column[part]).to(vectors.device)
            for column in (later, earlier, *columns)
        ]
        some.copy_(_scores(network.pairs, vectors, sides, pairs)[: len(some)])
    count = len(spans)
    top = torch.zeros(count).scatter_reduce(0, later, scores, "amax")
    given = torch.exp(scores - top[later])
    new = torch.exp(-top)
    whole = new.index_add(0, later, given)
    return Shares(later, earlier, given / whole[later], (new / whole)[first:])


def _candidates(document: Document, spans: Sequence[Range], first: int) -> tuple[Tensor, Tensor]:
    count = len(spans)
    places = torch.arange(count)
    apart = places[:, None] - places[None]
    wanted = (apart > 0) & ((apart <= NEAR) | words_alike(document, spans))
    wanted[:first] = False
    later, earlier = wanted.nonzero(as_tuple=True)
    return later, earlier


def _scores(
    scorer: PairScorer, vectors: Tensor, sides: tuple[Tensor, Tensor], pairs: Sequence[Tensor]
) -> Tensor:
    """Return the scores of the given pairs: the later mention, the earlier one, and the columns of each
    feature.

    `sides` holds the scorer's projections of every mention as the later and as the earlier one.
    """
    later, earlier, *columns = pairs
    weights = scorer.features.weight.T.contiguous()  # a product with rows of zeros and ones is a sum
    joined = sides[0][later] + sides[1][earlier]
    joined = joined + scorer.both(vectors[later] * vectors[earlier])
    joined = joined + embedding_bag(torch.stack(columns, 1), weights, mode="sum")
    return cast(Tensor, scorer.score(relu(scorer.hidden(relu(joined))))).squeeze(1).float()
