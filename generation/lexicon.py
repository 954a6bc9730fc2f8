"""The word lists of `generation/data`."""

from __future__ import annotations

from functools import cache

from books.lists import lines


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Return every line of a list, split at white space."""
    return tuple(tuple(line.split()) for line in lines("generation", f"data/{name}.txt"))


@cache
def words(name: str) -> frozenset[str]:
    """Return a list in which every word of every line is an entry."""
    return frozenset(word for row in rows(name) for word in row)


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """Return a list in which the first word of a line is the key of the rest."""
    return {row[0]: row[1:] for row in rows(name)}
