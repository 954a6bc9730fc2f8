"""The measures of coreference: MUC, B³, CEAF with φ4, and the mean of their F1, the ranking of CoNLL-2012.

Clusters are collections of hashables (usually spans); within one clustering, no item may be in two of them.
Mentions that only one side has count as they are, without a twin on the other side, which is how CoNLL's
reference scorer (version 8) treats predicted mentions: Pradhan et al. 2014, "Scoring Coreference Partitions
of Predicted Mentions".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.coref.tallies import NOTHING, PrecisionRecall, Share, Sums

Cluster = Collection[Hashable]
Clusters = Sequence[Cluster]


@dataclass(frozen=True, slots=True)
class Coreference(Sums):
    muc: PrecisionRecall = NOTHING
    b_cubed: PrecisionRecall = NOTHING
    ceaf_e: PrecisionRecall = NOTHING

    @property
    def conll(self) -> float:
        return (self.muc.f1 + self.b_cubed.f1 + self.ceaf_e.f1) / 3


def coreference(gold: Clusters, found: Clusters) -> Coreference:
    return Coreference(muc(gold, found), b_cubed(gold, found), ceaf_e(gold, found))


def mentions(gold: Iterable[Hashable], found: Iterable[Hashable]) -> PrecisionRecall:
    wanted, got = set(gold), set(found)
    both = len(wanted & got)
    return PrecisionRecall(Share(both, len(got)), Share(both, len(wanted)))


def without_singletons(clusters: Clusters) -> list[Cluster]:
    return [cluster for cluster in clusters if len(cluster) > 1]


def muc(gold: Clusters, found: Clusters) -> PrecisionRecall:
    """Count links: a cluster of n needs n - 1, and each further cluster it is spread over costs one.

    (Vilain et al. 1995.)
    """
    return PrecisionRecall(_links(found, _owners(gold)), _links(gold, _owners(found)))


def b_cubed(gold: Clusters, found: Clusters) -> PrecisionRecall:
    """Average, over mentions, how much of their cluster is in the same cluster on the other side.

    (Bagga and Baldwin 1998.)
    """
    return PrecisionRecall(_company(found, _owners(gold)), _company(gold, _owners(found)))


def ceaf_e(gold: Clusters, found: Clusters) -> PrecisionRecall:
    """Pair the clusters of both sides one to one so that their similarity is greatest.

    The similarity of two clusters is φ4 = 2 |common| / (|gold| + |found|) (Luo 2005).
    """
    alike = np.zeros((len(gold), len(found)))
    owners = _owners(found)
    for row, cluster in enumerate(gold):
        for column, common in _overlaps(cluster, owners).items():
            alike[row, column] = 2 * common / (len(cluster) + len(found[column]))
    total = float(alike[linear_sum_assignment(alike, maximize=True)].sum())
    return PrecisionRecall(Share(total, len(found)), Share(total, len(gold)))


def _owners(clusters: Clusters) -> dict[Hashable, int]:
    owners = {mention: at for at, cluster in enumerate(clusters) for mention in cluster}
    if len(owners) != sum(map(len, clusters)):
        raise ValueError("a mention is in two clusters, or twice in one")
    return owners


def _overlaps(cluster: Cluster, owners: Mapping[Hashable, int]) -> Counter[int]:
    """Count the mentions of a cluster that are in each cluster of the other side."""
    return Counter(owners[mention] for mention in cluster if mention in owners)


def _links(clusters: Clusters, others: Mapping[Hashable, int]) -> Share:
    total = Share()
    for cluster in clusters:
        overlaps = _overlaps(cluster, others)
        # A mention that the other side lacks is a part of its own.
        parts = len(overlaps) + len(cluster) - sum(overlaps.values())
        total += Share(len(cluster) - parts, len(cluster) - 1)
    return total


def _company(clusters: Clusters, others: Mapping[Hashable, int]) -> Share:
    total = Share()
    for cluster in clusters:
        squares = sum(common * common for common in _overlaps(cluster, others).values())
        total += Share(squares / len(cluster), len(cluster))
    return total
