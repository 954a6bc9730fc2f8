"""Split into training, validation and test by title: a book's texts stay together for all spellings.

The split of a title is drawn from its own hash. So it depends on nothing else in the data, and an added book
moves no other; the shares are only approximately those requested. (A training assigns its books in turn
instead, to have some of each kind even with three.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from evaluation.datasets.pairing import Work
from evaluation.datasets.released_splits import ReleasedSplits
from evaluation.datasets.splits import normalised, refuse_leaks
from evaluation.datasets.types import DatasetEntry, Pair
from generation.training.errors import TrainingLeak
from generation.training.types import DataSplit, PlacedSample, TrainingSample

TRAIN, VALIDATION = 0.8, 0.1


def split_of(title: str, *, seed: int) -> DataSplit:
    drawn = hashlib.sha256(f"{seed}\n{normalised(title)}".encode()).digest()
    share = int.from_bytes(drawn[:8], "big") / 2**64
    if share < TRAIN:
        return DataSplit.TRAIN
    return DataSplit.VALIDATION if share < TRAIN + VALIDATION else DataSplit.TEST


def place(
    entries: Sequence[DatasetEntry],
    pairs: Mapping[Work, Pair],
    *,
    seed: int,
    released: ReleasedSplits | None = None,
) -> list[PlacedSample]:
    """Return each entry as a training sample. Two titles that were matched with one book count as one.

    If splits were released, entries that are in none of them are left out.
    """
    title_of: dict[str, str] = {}
    for entry in sorted(entries, key=lambda e: normalised(e.title)):
        title_of.setdefault(_book(entry, pairs), entry.title)
    return [
        PlacedSample(
            TrainingSample(entry.line, _book(entry, pairs), (entry.character,), entry.task, entry.text),
            title_of[_book(entry, pairs)],
            _book(entry, pairs),
            split,
        )
        for entry in entries
        if (split := _split(entry, title_of[_book(entry, pairs)], seed, released)) is not None
    ]


def _split(entry: DatasetEntry, title: str, seed: int, released: ReleasedSplits | None) -> DataSplit | None:
    if released is None:
        return split_of(title, seed=seed)
    return released.get((entry.task, entry.book_id))


def leak(placed: Sequence[PlacedSample]) -> str | None:
    """Return an error where one text stands for two books that came into two splits."""
    try:
        refuse_leaks(placed)
    except TrainingLeak as found:
        return found.detail
    return None


def _book(entry: DatasetEntry, pairs: Mapping[Work, Pair]) -> str:
    found = pairs.get(entry.work)
    return str(found.book.path) if found else normalised(entry.title)
