"""One pass of the network over a document: its mentions and their clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from coref.native.clustering import clusters
from coref.native.document import Document, Range
from coref.native.network import DocumentBatch, LiteraryNetwork, antecedent_scores
from coref.native.pair_features import pair_features
from coref.native.precision import moved


@dataclass(frozen=True, slots=True)
class LinkedMentions:
    spans: tuple[Range, ...]
    """In order. Of two with the same start the longer comes first."""
    clusters: tuple[tuple[int, ...], ...]
    """Indices into `spans`."""


def found_spans(scores: Tensor, batch: DocumentBatch) -> list[Range]:
    """Return every stretch that is more likely a mention than none."""
    starts, lengths = ((scores.argmax(2) > 0) & batch.allowed).nonzero(as_tuple=True)
    return in_order(zip(starts.tolist(), (starts + lengths + 1).tolist(), strict=True))


def in_order(spans: Iterable[Range]) -> list[Range]:
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def sides(spans: Sequence[Range]) -> tuple[Tensor, Tensor]:
    return torch.tensor([start for start, _ in spans]), torch.tensor([end for _, end in spans])


def link(
    network: LiteraryNetwork,
    document: Document,
    batch: DocumentBatch,
    *,
    given: Sequence[Range] | None = None,
) -> LinkedMentions:
    """Cluster the mentions that the network finds, or those given, by coreference."""
    batch = moved(batch, network.device)
    words = network.words(batch)
    spans = in_order(given) if given is not None else found_spans(network.mentions(words), batch)
    if not spans:
        return LinkedMentions((), ())
    mentions = network.represent(words, *sides(spans))
    pairs = network.pairs(mentions, pair_features(document, spans)).float()
    shares = torch.softmax(antecedent_scores(pairs), 1)
    return LinkedMentions(tuple(spans), tuple(tuple(cluster) for cluster in clusters(shares)))
