"""How names are compared when they are looked up in the database."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

LONGEST = 120
"""Characters of a name that count; an index entry must stay small."""


def fold(name: str) -> str:
    """Without case, accents of form, punctuation around words, or more than one space."""
    plain = unicodedata.normalize("NFKC", name).casefold().replace("’", "'")
    words = ("".join(filter(str.isprintable, word)).strip(".,;:!?\"'“”‘") for word in plain.split())
    return " ".join(word for word in words if word)[:LONGEST].rstrip()


def bare(folded: str) -> str:
    """Without the titles before it; a name that is nothing but titles stays whole."""
    words = folded.split()
    start = next((at for at, word in enumerate(words) if word not in titles()), 0)
    return " ".join(words[start:])


@cache
def titles() -> frozenset[str]:
    lines = (files("db") / "data" / "titles.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
