"""Sweeping and deleting: what Bookworm may remove from a store, which may hold other people's files, too.

Everything that the store makes is known by the shape of its name, and nothing else is ever removed. The
folder of a book that this database does not know may belong to another database, or to a newer state of this
one. It stays if it holds an upload, unless a mark says that the book was deleted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from db.identity import BOOK, id_pattern
from db.store import files
from db.store.builder import BUILDING

SOURCE = "source"
MARK = ".deleted"
"""Name of the empty file that says that the book is deleted. It is the last one of the book to go."""
VERSION = re.compile(r"[0-9a-f]{16}")
UNFINISHED = re.compile(
    rf"{re.escape(BUILDING)}{VERSION.pattern}|{re.escape(files.TEMP)}.+-\d+-[0-9a-f]{{8}}"
)
_HOME = re.compile(id_pattern(BOOK))
_REMOVED = re.compile(rf"{re.escape(files.TEMP)}{_HOME.pattern}-\d+-[0-9a-f]{{8}}")
"""The folder of a book whose removal was interrupted after it was renamed."""


class Place(Protocol):
    """A folder of books, here or remote. Keys are relative to it."""

    def names(self, key: str = "") -> list[str]: ...

    def age(self, key: str) -> float | None:
        """Return the seconds since anything below `key` changed; None if that is not known."""

    def remove(self, key: str) -> None: ...


class Folder:
    """A local place."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self, key: str = "") -> list[str]:
        """Return what the folder holds. A file holds itself, as with fsspec."""
        try:
            return sorted(entry.name for entry in (self._root / key).iterdir())
        except NotADirectoryError:
            return [Path(key).name]
        except FileNotFoundError:
            return []

    def age(self, key: str) -> float | None:
        return files.age(self._root / key)

    def remove(self, key: str) -> None:
        files.remove(self._root / key)


@dataclass(frozen=True, slots=True)
class Swept:
    removed: tuple[str, ...]
    """Paths relative to the store."""
    unknown: int = 0
    """Folders of books that are kept although the database does not know them."""


def sweep(
    place: Place,
    *,
    in_use: Collection[tuple[str, str]],
    known: Collection[str],
    busy: Collection[str],
    grace: float,
    copies: bool = False,
) -> Swept:
    """`copies`: whether everything in this place is a copy of what is kept elsewhere, uploads included."""
    homes = place.names()
    removed = _clear(place, filter(_REMOVED.fullmatch, homes), grace=grace)
    unknown = 0
    for home in filter(_HOME.fullmatch, homes):
        if home in busy:
            continue
        if home in known:
            removed += _clear(place, _leftovers(home, place.names(home), in_use), grace=grace)
        elif _is_old(place, home, grace=grace):
            if _may_go(place.names(home), copies=copies):
                erase(place, home)
                removed.append(home)
            else:
                unknown += 1
    return Swept(tuple(removed), unknown)


def erase(place: Place, home: str) -> None:
    """Remove what the store made for a book, and its folder unless it holds anything else."""
    names = place.names(home)
    made = [name for name in names if _is_made(name)]
    for name in made:
        if name != MARK:
            place.remove(f"{home}/{name}")
    place.remove(home if made == names else f"{home}/{MARK}")


def _clear(place: Place, keys: Iterable[str], *, grace: float) -> list[str]:
    old = [key for key in keys if _is_old(place, key, grace=grace)]
    for key in old:
        place.remove(key)
    return old


def _is_old(place: Place, key: str, *, grace: float) -> bool:
    age = place.age(key)
    return age is not None and age >= grace


def _leftovers(home: str, names: list[str], in_use: Collection[tuple[str, str]]) -> list[str]:
    return [f"{home}/{n}" for n in names if _is_made(n) and n != SOURCE and (home, n) not in in_use]


def _may_go(names: list[str], *, copies: bool) -> bool:
    return MARK in names or ((copies or SOURCE not in names) and all(map(_is_made, names)))


def _is_made(name: str) -> bool:
    return name in (SOURCE, MARK) or bool(VERSION.fullmatch(name) or UNFINISHED.fullmatch(name))
