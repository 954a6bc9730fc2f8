"""Measure the relevance of a passage to a sentence by the people and words they share. Rare words weigh more.

A citation of the model needs less than a search result: the model read the passage and wrote in its own
words, while a search only compares words.

The shares below were chosen on *Pride and Prejudice*, with 24 sentences about the book and 16 invented ones.
If cited, 20 of the 23 passages that support a sentence are accepted, and 6% of all others about the same
person. A search among these passages finds the right one for 14 of the 24 sentences and another one for 5. It
finds a passage for 1 of the 16 invented sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from books.types import Span
from generation.checking.entailment.sentence_search import claim_terms, search_of
from generation.story.cast import cast_of
from generation.story.named_people import PRONOUN, Names
from generation.types import Category, Citation, Claim, Context
from generation.verbs import stem
from generation.writing.word_rarity import rarity_of, stems
from retrieval.tokenizer import terms
from retrieval.types import Passage

CITED = 0.2
"""Share of a sentence's content words, by weight, that a cited passage with its people must contain."""
FOUND = 0.45
"""Share that two consecutive sentences of a found passage must contain."""
NAMELESS = 0.6
"""Share that a cited passage must contain if it is not known to mention the sentence's people."""
FEW = 2
"""Minimum number of common words. Fewer may be a coincidence."""
MANY = 3
"""Minimum number of common words if the people are missing."""
READ_CLOSELY = 40
"""Maximum number of passages that are measured for one sentence."""
CLEAR = 0.75
"""Share of a passage's common words, by weight, that its best sentence must contain to be cited instead."""


@dataclass(frozen=True, slots=True)
class Relevance:
    citation: Citation
    share: float
    """Share of the sentence's content words, by weight, that the passage contains."""
    close: float
    """The same share in two consecutive sentences, or in one."""
    hits: int
    """Number of common content words there."""
    people: bool
    """Whether it mentions somebody the sentence is about."""

    @property
    def cited(self) -> bool:
        """Whether the passage is relevant enough if the model cites it."""
        if self.people:
            return self.share >= CITED
        return self.share >= NAMELESS and self.hits >= MANY

    @property
    def found(self) -> bool:
        """Whether the passage is relevant enough if a search found it."""
        return self.people and self.close >= FOUND and self.hits >= FEW


class RelevanceReader:
    """Measures the relevance of passages to sentences about a book."""

    def __init__(self, context: Context) -> None:
        self._cast = cast_of(context.book, context.annotations)
        self._search = search_of(self._cast)
        self._rarity = rarity_of(context.book)
        self._known: dict[Span, frozenset[str]] = {}

    @cached_property
    def _names(self) -> Names:
        return Names(self._cast.annotations.characters)

    def claim(self, text: str, about: tuple[str, ...]) -> Claim:
        """Return the sentence as a claim. `about` has the people to whom its pronouns may refer."""
        named = self._names.find(text)
        subject = named[0].character if named and not about else next(iter(about), None)
        whole = Span(0, len(text))
        return Claim(text, Category.OTHER, 0, whole, subject, people=named)

    def people(self, claim: Claim, about: tuple[str, ...]) -> frozenset[str]:
        named = frozenset(n.character for n in claim.people)
        return named | frozenset(about) if not named or PRONOUN.search(claim.text) else named

    def likeliest(self, text: str, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return the passages with the most words of a sentence, by weight.

        To measure all passages of a book takes too long.
        """
        if len(passages) <= READ_CLOSELY:
            return passages
        words = stems(text)
        return sorted(passages, key=lambda p: -self._weigh(words & self._stems(p)))[:READ_CLOSELY]

    def _stems(self, passage: Passage) -> frozenset[str]:
        if passage.span not in self._known:
            self._known[passage.span] = stems(passage.text)
        return self._known[passage.span]

    def measure(self, text: str, passage: Passage, *, about: tuple[str, ...]) -> Relevance:
        claim = self.claim(text, about)
        said = frozenset(claim_terms(claim))
        lines = [self._search.spans[at] for at in self._search.within(passage.span)]
        common = [said & _terms(line.of(self._cast.book.text)) for line in lines]
        close = max((a | b for a, b in _neighbours(common)), key=self._weigh, default=frozenset[str]())
        whole = self._weigh(said)
        hits = frozenset[str]().union(*common)
        return Relevance(
            citation=self._narrowest(passage, lines, common),
            share=self._weigh(hits) / whole if whole else 0.0,
            close=self._weigh(close) / whole if whole else 0.0,
            hits=len(close),
            people=bool(self._there(passage.span) & self.people(claim, about)),
        )

    def _there(self, span: Span) -> frozenset[str]:
        speakers = {q.speaker for q in self._cast.quotes_in(span)}
        mentioned = {m.character for m in self._search.mentions_in(span)}
        return frozenset(who for who in speakers | mentioned if who is not None)

    def _narrowest(
        self, passage: Passage, lines: Sequence[Span], common: Sequence[frozenset[str]]
    ) -> Citation:
        """Return the best sentence if one is clearly better than the others, else the passage."""
        whole = Citation(passage.span, passage.chapter)
        weights = [self._weigh(words) for words in common]
        best = max(range(len(weights)), key=weights.__getitem__, default=None)
        if best is None or len(common[best]) < FEW or weights.count(weights[best]) > 1:
            return whole
        if weights[best] < CLEAR * self._weigh(frozenset[str]().union(*common)):
            return whole
        return Citation(lines[best], passage.chapter)

    def _weigh(self, words: Iterable[str]) -> float:
        return self._rarity.weigh(words)


def _neighbours(common: Sequence[frozenset[str]]) -> list[tuple[frozenset[str], frozenset[str]]]:
    return list(pairwise(common)) or [(words, words) for words in common]


def _terms(text: str) -> frozenset[str]:
    return frozenset(map(stem, terms(text)))
