"""What the adapter that categorises claims learns from: claims that readers labelled, and facts they wrote.

`claims.csv` has claims as the extractor finds them: "Alex" is the subject of each. `short_facts.csv` and
`labelled.csv` have facts in a few words, `evaluation.corpus` longer ones, half of them written like claims.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from evaluation.corpus.loading import novels
from evaluation.corpus.types import CorpusNovel, CorpusPerson, as_category
from evaluation.facts import labelled
from evaluation.facts.types import FactsHalf
from generation.checking.categories import CLASSES
from generation.checking.entailment.written_evidence import OTHERS, SUBJECT
from generation.types import Category
from retrieval.telling.reader_training import ReaderLesson

CLAIMS: Final = Path(__file__).with_name("claims.csv")
SHORT_FACTS: Final = Path(__file__).with_name("short_facts.csv")
OF_CORPUS: Final = 0.4
"""Weight of a fact of the corpus. Others weigh 1."""


@dataclass(frozen=True, slots=True)
class CategoryLesson:
    text: str
    category: Category
    novel: str
    others: tuple[Category, ...] = ()
    """What other readers said of the same claim."""
    weight: float = 1.0

    @property
    def lesson(self) -> ReaderLesson:
        wanted = np.array([category is self.category for category in CLASSES], np.float32)
        return ReaderLesson(self.text, wanted, self.weight)


def claims() -> list[CategoryLesson]:
    return [
        CategoryLesson(
            row["claim"],
            Category(row["category"]),
            row["novel"],
            others=tuple(map(Category, row["others"].split())),
        )
        for row in _rows(CLAIMS)
    ]


def facts() -> Iterator[CategoryLesson]:
    """Yield the short facts, the labelled ones to tune on, and those of the corpus's splits train and dev."""
    for row in _rows(SHORT_FACTS):
        yield CategoryLesson(row["fact"], Category(row["category"]), row["novel"])
    for fact in labelled.read():
        if fact.half is FactsHalf.TUNING:
            yield CategoryLesson(fact.fact, fact.category, fact.book)
    for novel in novels():
        for person in novel.people if novel.split != "test" else ():
            names = _names(novel, person)
            told = [(_renamed(fact.fact, names), fact.category) for fact in person.true]
            for text, category in (*told, *((fact.fact, fact.category) for fact in person.false)):
                yield CategoryLesson(text, as_category(category), novel.novel, weight=OF_CORPUS)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, strict=True)


def agreement(lessons: Sequence[CategoryLesson]) -> tuple[int, float]:
    """Return how many pairs of labels there are of the same claims, and the share of equal ones."""
    pairs = [
        (one, other)
        for lesson in lessons
        for labels in [(lesson.category, *lesson.others)]
        for at, one in enumerate(labels)
        for other in labels[:at]
    ]
    return len(pairs), sum(one is other for one, other in pairs) / max(1, len(pairs))


def _names(novel: CorpusNovel, subject: CorpusPerson) -> dict[str, str]:
    """Return the plain name for each name of the novel's people."""
    others = [p for p in novel.people if p is not subject]
    plain = ((subject, SUBJECT), *zip(others, OTHERS, strict=False))
    return {name: to for p, to in plain for name in (p.name, *p.aliases) if name[:1].isupper()}


def _renamed(text: str, names: dict[str, str]) -> str:
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.sub(rf"\b(?:{'|'.join(longest_first)})\b", lambda m: names[m.group()], text)
