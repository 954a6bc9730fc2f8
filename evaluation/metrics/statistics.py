"""How certain a mean is, and whether two systems differ by more than chance: resampling, with a seed.

Answers about one book are not independent: a hard book is hard for all its people. With `books` given, whole
books are drawn or exchanged instead of single answers; the resulting interval is wider, and generalises to
other books.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Value = float | None

DRAWS = 10_000
LEVEL = 0.95
_CELLS = 4_000_000
"""Cells of a table of draws that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over the measured values, with its resampling bounds."""

    mean: float
    low: float | None
    """None where there is only one answer, or one book, to draw from."""
    high: float | None
    count: int
    """Answers."""
    units: int
    """Number of units drawn: answers, or books."""

    def percents(self, digits: int = 1) -> str:
        """Return the mean in percent, with whole bounds if there are any: “51.3 [40–60]”."""
        mean = f"{100 * self.mean:.{digits}f}"
        if self.low is None or self.high is None:
            return mean
        return f"{mean} [{100 * self.low:.0f}–{100 * self.high:.0f}]"


@dataclass(frozen=True, slots=True)
class Difference(Interval):
    """One system's mean minus another's, over the answers that both have a value for."""

    randomised: float
    """How often exchanging the systems' names at random gives a difference as large, in either direction."""
    bootstrapped: float
    """How often the resampled difference is beyond zero, doubled for both directions."""


def interval(
    values: Sequence[Value],
    *,
    books: Sequence[Hashable] | None = None,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval | None:
    """Return the percentile bootstrap; None where nothing could be measured."""
    units = _units(values, books)
    if units is None:
        return None
    low, high = _bounds(_means(units, draws, seed), level, units)
    return Interval(units.mean, low, high, units.count, len(units.sums))


def difference(
    one: Sequence[Value],
    other: Sequence[Value],
    *,
    books: Sequence[Hashable] | None = None,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference | None:
    """Compare two systems; `one` and `other` answer the same questions, in the same order."""
    pairs = zip(one, other, strict=True)
    units = _units([None if a is None or b is None else a - b for a, b in pairs], books)
    if units is None:
        return None
    means = _means(units, draws, seed)
    low, high = _bounds(means, level, units)
    return Difference(
        units.mean,
        low,
        high,
        units.count,
        len(units.sums),
        _randomised(units, draws, seed),
        _crossing(means, units.mean),
    )


@dataclass(frozen=True, slots=True)
class _Units:
    """The units to draw: each with the sum of its values and their number."""

    sums: Floats
    sizes: Floats

    @property
    def count(self) -> int:
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        return float(self.sums.sum() / self.sizes.sum())


def _units(values: Sequence[Value], books: Sequence[Hashable] | None) -> _Units | None:
    if books is not None and len(books) != len(values):
        raise ValueError(f"{len(values)} values, but {len(books)} books")
    owners: Sequence[Hashable] = range(len(values)) if books is None else books
    together: dict[Hashable, list[float]] = {}
    for owner, value in zip(owners, values, strict=True):
        if value is not None:
            together.setdefault(owner, []).append(value)
    if not together:
        return None
    sums = np.array([sum(each) for each in together.values()], dtype=np.float64)
    return _Units(sums, np.array([len(each) for each in together.values()], dtype=np.float64))


def _means(units: _Units, draws: int, seed: int) -> Floats:
    """Return means of samples with as many units, drawn with replacement."""
    random, size = np.random.default_rng(seed), len(units.sums)
    found = []
    for some in _portions(draws, size):
        drawn = random.integers(0, size, (some, size))
        found.append(units.sums[drawn].sum(1) / units.sizes[drawn].sum(1))
    return np.concatenate(found)


def _bounds(means: Floats, level: float, units: _Units) -> tuple[float | None, float | None]:
    if len(units.sums) < 2:
        return None, None
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _randomised(units: _Units, draws: int, seed: int) -> float:
    """Use every exchange if there are no more than the draws; else random ones, and the observed one."""
    size = len(units.sums)
    # the same sum in another order may be smaller
    least = abs(units.sums.sum()) - 1e-12 * abs(units.sums).sum()
    if 2**size <= draws:
        codes = np.arange(2**size)[:, None] >> np.arange(size) & 1
        return float((abs(_signed(codes, units)) >= least).mean())
    random = np.random.default_rng(seed)
    hits = sum(
        int((abs(_signed(random.integers(0, 2, (some, size)), units)) >= least).sum())
        for some in _portions(draws, size)
    )
    return (hits + 1) / (draws + 1)


def _signed(exchanged: NDArray[np.int64], units: _Units) -> Floats:
    signed: Floats = (1 - 2 * exchanged) @ units.sums
    return signed


def _crossing(means: Floats, mean: float) -> float:
    """Return the share on the other side; if nothing differs at all, there is none on either side."""
    beyond = (means <= 0).sum() if mean > 0 else (means >= 0).sum()
    return min(1.0, 2 * float(beyond + 1) / (len(means) + 1))


def _portions(draws: int, size: int) -> Iterator[int]:
    most = max(1, _CELLS // size)
    for done in range(0, draws, most):
        yield min(most, draws - done)
