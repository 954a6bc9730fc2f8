"""Lessons for `bookworm train display-names`: by which of their names readers call the people of a novel."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from books.types import Book
from coref.language.tokens import tokenize
from coref.names.display_names import FEATURES, WordCases, displayed, signs
from evaluation.coref.odds_training import OddsLesson, folds
from evaluation.corpus.casts import NovelCast

_SHORT = re.compile(r",| \(")
"""Where a reader's name ends and what they add begins."""
OFTEN = 20


class NovelNames:
    """The people of a novel who have several names, of which one is what readers call them."""

    def __init__(self, cast: NovelCast, book: Book) -> None:
        self.novel = cast.novel
        self.cases = WordCases(tokenize(book))
        self.people = list(_people(cast, book.text))


def _people(cast: NovelCast, text: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield what readers call each of the people, and how often the novel uses each name."""
    longest = sorted(cast.names, key=len, reverse=True)
    pattern = re.compile(r"\b(?:{})(?!\w)".format("|".join(map(re.escape, longest))))
    uses = Counter(found.group() for found in pattern.finditer(" ".join(text.split())))
    for key, told in cast.people.items():
        names = {name: uses[name] for name, whose in cast.names.items() if whose == (key,) and uses[name]}
        called = _SHORT.split(told)[0].strip()
        if len(names) > 1 and called in names:
            yield called, names


def lesson(novel: NovelNames) -> OddsLesson:
    """Compare what readers call somebody with each other name, and each way round."""
    rows: list[list[float]] = []
    for called, names in novel.people:
        right = signs(called, names, novel.cases)
        for other in names.keys() - {called}:
            wrong = signs(other, names, novel.cases)
            rows.append([one - two for one, two in zip(right, wrong, strict=True)])
    both = np.array(rows).reshape(-1, len(FEATURES))
    true = np.repeat((True, False), len(rows))
    return OddsLesson(novel.novel, np.concatenate([both, -both]), true)


def story_of(novels: Sequence[NovelNames], lessons: Sequence[OddsLesson]) -> dict[str, object]:
    """Describe the data, and how many people of novels that were held out are called as readers call them."""
    right = np.zeros((2, 3), dtype=int)
    for model, held in folds(lessons, FEATURES):
        for novel in novels[held]:
            for called, names in novel.people:
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
