"""Clusters of mentions from the scores of pairs."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor


def clusters(shares: Tensor) -> list[list[int]]:
    """Cluster mentions in order, each with those it most likely belongs to, or on its own.

    Row `i` of `shares` holds the shares that mention `i` gives to being new (column 0) and to each earlier
    mention `j` (column `j + 1`). The shares of one cluster's members are added: three likely antecedents that
    are one person outweigh a single one that is slightly likelier.
    """
    found: list[list[int]] = []
    home: list[int] = []
    for at, row in enumerate(shares.tolist()):
        best = _best(row, home)
        if best is None:
            best = len(found)
            found.append([])
        found[best].append(at)
        home.append(best)
    return found


def _best(row: Sequence[float], home: Sequence[int]) -> int | None:
    given: dict[int, float] = {}
    for earlier, cluster in enumerate(home):
        given[cluster] = given.get(cluster, 0.0) + row[earlier + 1]
    likeliest = max(given, key=lambda cluster: given[cluster], default=None)
    return likeliest if likeliest is not None and given[likeliest] > row[0] else None
