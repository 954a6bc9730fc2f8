"""Lessons for `bookworm train display-names`: by which of their names readers call the people of a novel."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from books.types import Book
from coref.language.tokens import tokenize
from coref.names.display_names import FEATURES, WordCases, displayed, signs
from coref.types import Character
from evaluation.coref.odds_training import OddsLesson, folds
from evaluation.corpus.casts import NovelCast

_SHORT = re.compile(r",| \(")
"""Where a reader's name ends and what they add begins."""
OFTEN = 20


class NovelNames:
    """The people of a novel who have several names, of which one is what readers call them.

    Their names are those that readers list, and again those that were found: only these have mistakes among
    them.
    """

    def __init__(self, cast: NovelCast, book: Book, found: Sequence[Character]) -> None:
        self.novel = cast.novel
        self.cases = WordCases(tokenize(book))
        self.listed = list(_listed(cast, book.text))
        self.found = list(_found(cast, found))


def _listed(cast: NovelCast, text: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield what readers call each of the people, and how often the novel uses each name."""
    longest = sorted(cast.names, key=len, reverse=True)
    pattern = re.compile(r"\b(?:{})(?!\w)".format("|".join(map(re.escape, longest))))
    uses = Counter(found.group() for found in pattern.finditer(" ".join(text.split())))
    for key, told in cast.people.items():
        names = {name: uses[name] for name, whose in cast.names.items() if whose == (key,) and uses[name]}
        called = _called(told, names)
        if len(names) > 1 and called in names:
            yield called, names


def _found(cast: NovelCast, found: Sequence[Character]) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield what readers call each of the people, and the names of the character who is most called so."""
    for key, told in cast.people.items():
        theirs = {name for name, whose in cast.names.items() if whose == (key,)}
        named = max(found, key=lambda c: sum(a.count for a in c.aliases if a.text in theirs), default=None)
        names = {alias.text: alias.count for alias in named.aliases if alias.count} if named else {}
        called = _called(told, names)
        if len(names) > 1 and called in names:
            yield called, names


def _called(told: str, names: Collection[str]) -> str:
    """Return what a reader calls somebody: `Tess (Tess Durbeyfield, later Mrs Clare)` is Tess Durbeyfield."""
    short, *added = (part.strip(" )") for part in _SHORT.split(told))
    fuller = added[0] if added else short
    return fuller if fuller in names and set(short.split()) <= set(fuller.split()) else short


def lesson(novel: NovelNames) -> OddsLesson:
    """Compare what readers call somebody with each other name, and each way round."""
    rows: list[list[float]] = []
    for called, names in (*novel.listed, *novel.found):
        right = signs(called, names, novel.cases)
        for other in names.keys() - {called}:
            wrong = signs(other, names, novel.cases)
            rows.append([one - two for one, two in zip(right, wrong, strict=True)])
    both = np.array(rows).reshape(-1, len(FEATURES))
    true = np.repeat((True, False), len(rows))
    return OddsLesson(novel.novel, np.concatenate([both, -both]), true)


def story_of(novels: Sequence[NovelNames], lessons: Sequence[OddsLesson]) -> dict[str, object]:
    """Describe the data, and how many found people of novels that were held out are called as by readers."""
    right = np.zeros((2, 3), dtype=int)
    for model, held in folds(lessons, FEATURES):
        for novel in novels[held]:
            for called, names in novel.found:
                most = max(names, key=lambda name: (names[name], name))
                found = (1, displayed(names, novel.cases, model) == called, most == called)
                right[0] += found
                if sum(names.values()) >= OFTEN:
                    right[1] += found
    return {
        "novels": [each.novel for each in novels],
        "held out": {
            of: dict(zip(("people", "right", "right by the most used name"), map(int, counts), strict=True))
            for of, counts in zip(("all", f"named {OFTEN} times"), right, strict=True)
        },
    }
