"""To which earlier mentions each one may go back, and how much speaks for each: a few bytes a link.

A book has as many links as words. As pairs of Python's numbers each would take over a hundred bytes, as two
columns it takes eight.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

Link = tuple[int, float]
"""An earlier mention's number, and its share."""


@dataclass(slots=True)
class Links(Sequence[Sequence[Link]]):
    """One entry a mention, in order: its links. They are made of the columns whenever they are asked for."""

    _ends: array[int] = field(default_factory=lambda: array("q"))
    """Where each mention's links end in the columns; they begin where those of the one before end."""
    _earlier: array[int] = field(default_factory=lambda: array("i"))
    _shares: array[float] = field(default_factory=lambda: array("f"))
    """In the 32 bits that the network tells them in."""

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
        """The links of further mentions, one's after the other's: `counts` says how many each has."""
        end = len(self._earlier)
        for count in counts:
            end += count
            self._ends.append(end)
        self._earlier.extend(earlier)
        self._shares.extend(shares)
        if not end == len(self._earlier) == len(self._shares):
            raise ValueError(f"{end} links were counted, {len(self._earlier)} are there")
