"""The result of `bookworm evaluate dataset`, from which its tables and its JSON document are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.datasets.pairing import Work
from evaluation.datasets.statistics import Overlap, TaskStatistics
from evaluation.datasets.types import Pair, Unpaired


@dataclass(frozen=True, slots=True)
class Dataset:
    repeats: int
    short: int
    tasks: Mapping[str, TaskStatistics]
    between: Overlap
    pairs: Mapping[Work, Pair]
    unpaired: Sequence[Unpaired]
    unread: Mapping[Path, str]
    splits: Mapping[str, Mapping[str, int]]
    leak: str | None
    unplaced: int
    """Texts that are in none of the released splits."""
