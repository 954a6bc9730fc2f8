"""Reads the word lists in `coref/data` and defines how names are compared.

A list has one entry per line. A table has a key, a tab and a value.
"""

from __future__ import annotations

from functools import cache
from unicodedata import normalize

from books import lists


def lines(name: str) -> tuple[str, ...]:
    return lists.lines("coref", f"data/{name}.txt")


@cache
def words(name: str) -> frozenset[str]:
    """Read a list in which several entries may share a line."""
    return frozenset(word for line in lines(name) for word in line.split())


@cache
def phrases(name: str) -> frozenset[str]:
    return frozenset(lines(name))


@cache
def table(name: str) -> dict[str, str]:
    pairs = (line.split("\t", 1) for line in lines(name))
    return {key.strip(): value.strip() for key, value in pairs}


def plain(surface: str) -> str:
    """Return a name as it is displayed: on one line, without a capitalised leading article."""
    label = " ".join(surface.replace("_", "").split())
    return "the " + label[4:] if label.startswith(("The ", "THE ")) else label


def same(surface: str) -> str:
    """Return the form by which names are compared: white space, case and curly apostrophes do not count, nor
    whether an accent is a code point of its own.
    """
    return normalize("NFC", plain(surface).replace("’", "'").casefold())
