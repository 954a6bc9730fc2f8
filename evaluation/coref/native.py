"""The literary model's network on gold documents, as its training asks after each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from coref.native.document import Range
from coref.native.network import MOST_WORDS, Network
from coref.native.reading import Linked, link
from coref.training.example import Example
from evaluation.coref.scores import Coreference, coreference, mentions
from evaluation.coref.tallies import NOTHING


def measure(network: Network, examples: Sequence[Example]) -> Mapping[str, float]:
    """F1 of mention spans; CoNLL with singletons, of found mentions (the score) and of given ones."""
    spans, found, given = NOTHING, Coreference(), Coreference()
    for example in examples:
        wanted = _gold(example)
        able = [span for span in example.gold if span[1] - span[0] <= MOST_WORDS]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            free = link(network, example.document, example.batch)
            told = link(network, example.document, example.batch, given=able)
        spans += mentions(example.gold, free.spans)
        found += coreference(wanted, _clusters(free))
        given += coreference(wanted, _clusters(told))
    return {
        "score": round(found.conll, 4),
        "mention_f1": round(spans.f1, 4),
        "conll_given_mentions": round(given.conll, 4),
    }


def _gold(example: Example) -> list[list[Range]]:
    entities: dict[str, list[Range]] = {}
    for span, mention in example.gold.items():
        entities.setdefault(mention.entity, []).append(span)
    return list(entities.values())


def _clusters(linked: Linked) -> list[list[Range]]:
    return [[linked.spans[at] for at in cluster] for cluster in linked.clusters]
