"""Whether a passage bears on a sentence: by the people they share, and by the words.

A model's citation is believed on less than a find of our own: the model read the passage and pointed at it,
and it writes in words of its own; a search has nothing but the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from books.types import Span
from generation import evidence
from generation.cast import Cast, cast_of
from generation.judges.reading import Reading, read_claim, read_evidence
from generation.names import PRONOUN, Names
from generation.types import Category, Citation, Claim, Prompt
from retrieval.types import Passage

CITED = 0.2
"""Share of a sentence's content words that a passage with its people must have when the model cites it."""
FOUND = 0.45
"""Share that a passage must have which was searched for."""
NAMELESS = 0.6
"""Share that lets a passage pass in which nobody is known to be."""
FEW = 2
"""Words in common may be chance when they are fewer."""
CLEAR = 0.75
"""Share of what a passage has in common with a sentence that its best sentence must have to stand for it."""


@dataclass(frozen=True, slots=True)
class Bearing:
    citation: Citation
    share: float
    """Of the sentence's content words."""
    hits: int
    people: bool
    """Whether somebody whom the sentence is about is there."""

    @property
    def cited(self) -> bool:
        """Enough for a passage that the model cites."""
        if self.people:
            return self.share >= CITED
        return self.share >= NAMELESS and self.hits >= FEW

    @property
    def found(self) -> bool:
        """Enough for a passage that was searched for."""
        return self.people and self.share >= FOUND and self.hits >= FEW


class Reader:
    """Measures sentences about a book against its passages."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._cast: Cast = cast_of(prompt.book, prompt.annotations)

    @cached_property
    def _names(self) -> Names:
        return Names(self._cast.annotations.characters)

    def claim(self, text: str, about: tuple[str, ...]) -> Claim:
        """The sentence as something to be checked. `about` are the people whom its pronouns may mean."""
        named = self._names.find(text)
        subject = named[0].character if named and not about else next(iter(about), None)
        whole = Span(0, len(text))
        return Claim(text, Category.OTHER, 0, whole, subject, people=named)

    def people(self, claim: Claim, about: tuple[str, ...]) -> frozenset[str]:
        named = frozenset(n.character for n in claim.people)
        return named | frozenset(about) if not named or PRONOUN.search(claim.text) else named

    def measure(self, text: str, passage: Passage, *, about: tuple[str, ...]) -> Bearing:
        claim = self.claim(text, about)
        said, _ = read_claim(claim)
        shown = evidence.gather(claim, prompt=self._prompt, passages=[passage])
        readings = [reading for e in shown for reading in read_evidence(e, claim)]
        wanted = list(said.stems)
        common = [[w for w in wanted if reading.find(w)] for reading in readings]
        hits = {w for found in common for w in found}
        there = frozenset(n.character for e in shown for n in e.named)
        return Bearing(
            citation=_narrowest(passage, readings, common, len(hits)),
            share=len(hits) / len(wanted) if wanted else 0.0,
            hits=len(hits),
            people=bool(there & self.people(claim, about)),
        )


def _narrowest(passage: Passage, readings: list[Reading], common: list[list[str]], hits: int) -> Citation:
    """The best sentence when it is clear which that is, else the passage."""
    whole = Citation(passage.span, passage.chapter)
    ranked = sorted(range(len(common)), key=lambda at: -len(common[at]))
    if not ranked or len(common[ranked[0]]) < FEW or len(common[ranked[0]]) < CLEAR * hits:
        return whole
    if len(ranked) > 1 and len(common[ranked[1]]) == len(common[ranked[0]]):
        return whole
    return Citation(readings[ranked[0]].line.span, passage.chapter)
