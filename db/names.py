"""Normalise names for comparison in the database."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

LONGEST = 120
"""Characters of a name that count; an index entry must stay small."""


def fold(name: str) -> str:
    """Fold a name: ignore case, compatibility forms, punctuation around words, and repeated spaces."""
    plain = unicodedata.normalize("NFKC", name).casefold().replace("’", "'")
    words = ("".join(filter(str.isprintable, word)).strip(".,;:!?\"'“”‘") for word in plain.split())
    return " ".join(word for word in words if word)[:LONGEST].rstrip()


def bare(folded: str) -> str:
    """Return a name without leading titles; a name that is nothing but titles stays whole."""
    words = folded.split()
    start = next((at for at, word in enumerate(words) if word not in titles()), 0)
    return " ".join(words[start:])


@cache
def titles() -> frozenset[str]:
    lines = (files("db") / "data" / "titles.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
