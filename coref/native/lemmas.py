"""Lemmas as scripts: how many letters at a word's end go, and which come instead.

`carried` → `carry` is `3|y`, and so is `married` → `marry`: a few hundred scripts say nearly every lemma of a
language, so that choosing one of them is a matter of classes.
"""

from __future__ import annotations

from typing import Final

SAME: Final = "0|"
"""The word as it is written but for its capitals."""
_CASED = "^"
"""Capitals stay: names."""


def script_of(word: str, lemma: str) -> str:
    if lemma[:1].isupper() and word[:1].isupper():
        return _CASED + _difference(word, lemma)
    return _difference(word.lower(), lemma.lower())


def apply(script: str, word: str) -> str:
    """The lemma; a script that asks for more letters than there are replaces the whole word."""
    cased = script.startswith(_CASED)
    gone, _, added = script.removeprefix(_CASED).partition("|")
    base = word if cased else word.lower()
    return base[: max(0, len(base) - int(gone))] + added


def _difference(word: str, lemma: str) -> str:
    alike = 0
    for here, there in zip(word, lemma, strict=False):
        if here != there:
            break
        alike += 1
    return f"{len(word) - alike}|{lemma[alike:]}"
