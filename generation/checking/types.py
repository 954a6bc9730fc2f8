"""Types for judging a claim: its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field

from books.types import Span
from generation.checking.entailment.sentence_search import SearchSigns
from generation.types import Claim, Context, NamedSpan


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of the book, or of another text, that a claim is compared with."""

    span: Span
    chapter: int
    """Counted from 0."""
    text: str
    named: tuple[NamedSpan, ...] | None = None
    """Whom each name and pronoun means, an empty span at the start being the speaker; None if not known."""
    words: float = 0.0
    """Share of the claim's words that occur here, weighed by their rarity."""
    certainty: float = 1.0
    """How surely the claim's subject is in it or next to it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with everything that a judge needs."""

    claim: Claim
    cited: tuple[Evidence, ...] = ()
    """What the claim cites."""
    offered: tuple[Evidence, ...] = ()
    """What its writer cites for it besides."""
    found: tuple[Evidence, ...] = ()
    """Sentences found by their words and people."""
    passages: tuple[Evidence, ...] = ()
    """Passages that a retriever found."""
    signs: SearchSigns | None = None
    """How the whole book bears on the claim; None if it is compared with another text."""
    strange: bool = False
    """Whether the claim names what the book, as far as it is read, never names. Then nothing bears it out."""
    context: Context | None = field(default=None, compare=False, repr=False)
    """The book that the evidence is from, for a judge that reads around it."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return (*self.cited, *self.offered, *self.found, *self.passages)
