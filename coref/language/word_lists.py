"""Reads the word lists in `coref/data`, and says how names are compared.

A list has one entry a line. A table has a key, a tab, and what it means.
"""

from __future__ import annotations

from functools import cache

from books import lists


def lines(name: str) -> tuple[str, ...]:
    return lists.lines("coref", f"data/{name}.txt")


@cache
def words(name: str) -> frozenset[str]:
    """A list in which several entries may share a line."""
    return frozenset(word for line in lines(name) for word in line.split())


@cache
def phrases(name: str) -> frozenset[str]:
    return frozenset(lines(name))


@cache
def table(name: str) -> dict[str, str]:
    pairs = (line.split("\t", 1) for line in lines(name))
    return {key.strip(): value.strip() for key, value in pairs}


def plain(surface: str) -> str:
    """A name as it is shown: on one line, without a leading capital article."""
    label = " ".join(surface.replace("_", "").split())
    return "the " + label[4:] if label.startswith(("The ", "THE ")) else label


def same(surface: str) -> str:
    """Two spellings of a name are the same when this is: white space, case and curly marks do not count."""
    return plain(surface).replace("’", "'").casefold()
