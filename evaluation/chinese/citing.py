"""Which citations of Chinese sentences hold: of facts about the Three Kingdoms, in a biographer's words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from coref.types import Annotations
from evaluation.chinese.gold import FOLDER
from generation.contexts import make_context
from generation.types import Claim
from generation.writing.passage_relevance import Relevance, RelevanceReader
from retrieval.index import BookIndex
from retrieval.types import Passage

_OTHERS: Final = 6
"""Passages about the same person that are drawn for each fact."""


@dataclass(frozen=True, slots=True)
class ChineseFact:
    person: str
    zh: str
    en: str
    quote: str
    """The sentence of the book that bears it out."""


@dataclass(frozen=True, slots=True)
class CitedFact:
    right: bool
    """Whether the passage has the fact's sentence; it is another one about the person otherwise."""
    english: bool
    read: Relevance


_FACTS: TypeAdapter[tuple[ChineseFact, ...]] = TypeAdapter(tuple[ChineseFact, ...])


def facts() -> tuple[ChineseFact, ...]:
    return _FACTS.validate_json((FOLDER / "facts.json").read_text("utf-8"))


def cited(index: BookIndex, annotations: Annotations, *, seed: int = 0) -> Iterator[CitedFact]:
    """Yield each fact with the passage of its sentence, and with others about the person."""
    chance = random.Random(seed)
    reader = RelevanceReader(make_context(index.book, annotations=annotations))
    passages = list(index.passages)
    for fact in facts():
        at = index.book.text.index(fact.quote)
        (right,) = (p for p in passages if p.span.start <= at < p.span.end)
        for english, text in enumerate((fact.zh, fact.en)):
            claim = reader.claim(text, ())
            others = [p for p in passages if p is not right and reader.has_people(claim, p)]
            pairs: list[tuple[Claim, Passage]] = [
                (claim, p) for p in (right, *chance.sample(others, min(_OTHERS, len(others))))
            ]
            for n, read in enumerate(reader.read(pairs)):
                yield CitedFact(n == 0, bool(english), read)
