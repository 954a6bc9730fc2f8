"""The word lists of `generation/data`: files that anyone may read and mend; `#` comments."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Every line of a list, split at white space."""
    lines = (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line.strip() and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """A list in which every word of every line is an entry."""
    return frozenset(word for row in rows(name) for word in row)


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """A list in which the first word of a line stands for the rest."""
    return {row[0]: row[1:] for row in rows(name)}
