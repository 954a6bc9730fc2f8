"""A parse as columns of numbers for a file. Tags, relations and lemmas are stored as codes.

An unpacked parse reads the columns in place and copies nothing: 19 bytes per word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from coref.language.syntax import Parse

Column = NDArray[Any]
_CODED = ("tags", "relations", "lemmas")
_FEW = 256
"""Number of names that one byte can distinguish."""


def pack(parse: Parse) -> tuple[dict[str, Column], dict[str, list[str]]]:
    """Return the columns, and the names that their codes stand for."""
    names = {of: sorted(set(getattr(parse, of))) for of in _CODED}
    columns: dict[str, Column] = {
        "starts": np.fromiter(parse.starts, np.int32, len(parse)),
        "ends": np.fromiter(parse.ends, np.int32, len(parse)),
        "sentences": np.fromiter((end for _, end in parse.sentences), np.int32, len(parse.sentences)),
        "heads": np.fromiter(parse.heads, np.int32, len(parse)),
        "events": np.fromiter(parse.events, np.bool_, len(parse)),
        **{of: _codes(getattr(parse, of), names[of]) for of in _CODED},
    }
    return columns, names


def unpack(columns: Mapping[str, Column], names: Mapping[str, Sequence[str]]) -> Parse:
    view = {of: column.data.toreadonly() for of, column in columns.items()}
    return Parse(
        starts=view["starts"],
        ends=view["ends"],
        sentences=_Ranges(view["sentences"]),
        tags=Coded(view["tags"], names["tags"]),
        lemmas=Coded(view["lemmas"], names["lemmas"]),
        heads=view["heads"],
        relations=Coded(view["relations"], names["relations"]),
        events=cast("Sequence[bool]", view["events"]),
    )


def _codes(told: Iterable[str], names: Sequence[str]) -> Column:
    place = {name: code for code, name in enumerate(names)}
    return np.fromiter((place[name] for name in told), np.uint8 if len(names) <= _FEW else np.int32)


class Coded(Sequence[str]):
    """A sequence of names, each stored as its code."""

    __slots__ = ("codes", "names")

    def __init__(self, codes: memoryview, names: Sequence[str]) -> None:
        self.codes = codes
        self.names = names

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Coded: ...
    def __getitem__(self, at: int | slice) -> str | Coded:
        if isinstance(at, slice):
            return Coded(self.codes[at], self.names)
        return self.names[self.codes[at]]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes)


class _Ranges(Sequence[tuple[int, int]]):
    """Ranges that follow one another without gaps, each stored as its end."""

    __slots__ = ("_ends",)

    def __init__(self, ends: memoryview) -> None:
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, at: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[int, int]]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        if isinstance(at, slice):
            start, end, step = at.indices(len(self))
            return (
                _Ranges(self._ends[:end])
                if (start, step) == (0, 1)
                else [self[i] for i in range(start, end, step)]
            )
        at = range(len(self))[at]
        return (self._ends[at - 1] if at else 0, self._ends[at])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        first = 0
        for end in self._ends:
            yield first, end
            first = end
