"""Who may be whom in a passage: not every pair of mentions is compared, only those that can matter.

A mention goes back to one of the last ones, or to one whose words are alike. All others are left out: there
are ten times as many of them, and what they would be given is next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag, relu

from coref.native.document import Document, Range
from coref.native.features import chosen_features, words_alike
from coref.native.network import Network
from coref.native.steady import rounded_pairs

NEAR = 64
"""Mentions back that every one is compared with."""
_AT_ONCE = 16_384
"""Pairs: what they need fits the processor's cache better than all would."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Columns, one entry a pair: of what a mention gives to all earlier ones and to being new."""

    later: Tensor
    earlier: Tensor
    share: Tensor
    new: Tensor
    """One entry a mention."""


def shares_of(
    network: Network, document: Document, spans: Sequence[Range], vectors: Tensor, *, first: int = 0
) -> Shares:
    """Of the mentions from `first` on; those before are only gone back to."""
    later, earlier = _candidates(document, spans, first)
    scores = torch.empty(len(later))
    columns = chosen_features(document, spans, later, earlier)
    for at in range(0, len(later), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        some = scores[part]
        pairs = [rounded_pairs(column[part]).to(vectors.device) for column in (later, earlier, *columns)]
        some.copy_(_scores(network, vectors, pairs[0], pairs[1], pairs[2:])[: len(some)])
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
    network: Network, vectors: Tensor, later: Tensor, earlier: Tensor, columns: Sequence[Tensor]
) -> Tensor:
    """What `network.pairs` says of all pairs, of some."""
    pairs = network.pairs
    weights = pairs.features.weight.T.contiguous()  # a product with rows of zeros and ones is a sum
    joined = pairs.later(vectors)[later] + pairs.earlier(vectors)[earlier]
    joined = joined + pairs.both(vectors[later] * vectors[earlier])
    joined = joined + embedding_bag(torch.stack(list(columns), 1), weights, mode="sum")
    return cast(Tensor, pairs.score(relu(pairs.hidden(relu(joined))))).squeeze(1).float()
