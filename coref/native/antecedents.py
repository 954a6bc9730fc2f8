"""The possible antecedents of each mention with their shares, in a few bytes per link.

A book has as many links as words. As pairs of Python numbers each would take over a hundred bytes; as two
columns it takes eight.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

Link = tuple[int, float]
"""The number of an earlier mention, and its share."""


@dataclass(slots=True)
class Links(Sequence[Sequence[Link]]):
    """The links of each mention, in order. They are built from the columns on each access."""

    _ends: array[int] = field(default_factory=lambda: array("q"))
    """Where each mention's links end in the columns. They begin where those of the previous mention end."""
    _earlier: array[int] = field(default_factory=lambda: array("i"))
    _shares: array[float] = field(default_factory=lambda: array("f"))
    """In 32 bits, as the network outputs them."""

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, at: int) -> list[Link]: ...
    @overload
    def __getitem__(self, at: slice) -> list[list[Link]]: ...
    def __getitem__(self, at: int | slice) -> list[Link] | list[list[Link]]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        end = self._ends[at]
        begin = self._ends[at - 1] if at % len(self) else 0
        return list(zip(self._earlier[begin:end], self._shares[begin:end], strict=True))

    def add(self, counts: Sequence[int], earlier: Sequence[int], shares: Sequence[float]) -> None:
        """Append the links of further mentions. `counts` holds the number of links of each."""
        end = len(self._earlier)
        for count in counts:
            end += count
            self._ends.append(end)
        self._earlier.extend(earlier)
        self._shares.extend(shares)
        if not end == len(self._earlier) == len(self._shares):
            raise ValueError(f"{end} links were counted, {len(self._earlier)} are there")
