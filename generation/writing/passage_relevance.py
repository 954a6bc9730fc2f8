"""Decide by the citation head whether a passage bears a sentence out.

A citation of the model needs less than a search result: the model read the passage and wrote in its own
words, while a search only compares words. generation/checking/entailment/MODEL_CARD.md has its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from books.types import Span
from generation.checking.entailment.cited_passage import passage_case, terms_of
from generation.checking.entailment.sentence_search import claim_terms, search_of
from generation.story.cast import cast_of
from generation.story.named_people import PRONOUN, Names, agrees
from generation.types import Category, Citation, Claim, Context, NamedSpan
from retrieval.types import Passage

if TYPE_CHECKING:
    from generation.checking.entailment.entailment_head import EntailmentHead

FEW = 2
"""Minimum number of common words of a sentence that is cited alone."""
SEARCHED = 3
"""Maximum number of passages that are read for a sentence without a citation."""
CLEAR = 0.75
"""Share of a passage's common words, by weight, that its best sentence must contain to be cited instead."""


@dataclass(frozen=True, slots=True)
class Relevance:
    citation: Citation
    support: float
    """Probability that the passage bears the sentence out."""
    people: bool
    """Whether it mentions somebody the sentence is about."""

    @property
    def cited(self) -> bool:
        """Whether the passage is relevant enough if the model cites it."""
        return self.people and self.support >= _head().weights.unsupported

    @property
    def found(self) -> bool:
        """Whether the passage is relevant enough if a search found it."""
        return self.people and self.support >= _head().weights.supported


class RelevanceReader:
    """Measures the relevance of passages to sentences about a book."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._cast = cast_of(context.book, context.annotations)
        self._search = search_of(self._cast)
        self._known: dict[Span, frozenset[str]] = {}

    @cached_property
    def _names(self) -> Names:
        return Names(self._cast.annotations.characters)

    def claim(self, text: str, about: tuple[str, ...]) -> Claim:
        """Return the sentence as a claim. `about` has the people to whom its pronouns may refer."""
        named = self._names.find(text)
        subject = named[0].character if named and not about else next(iter(about), None)
        people = (*named, *self._pronouns(text, subject, named))
        return Claim(
            text,
            Category.OTHER,
            0,
            Span(0, len(text)),
            subject,
            people=tuple(sorted(people, key=lambda n: n.span)),
        )

    def _pronouns(self, text: str, subject: str | None, named: Sequence[NamedSpan]) -> Iterable[NamedSpan]:
        """Yield the pronouns of a text about somebody that may mean them."""
        person = None if subject is None else self._cast.by_id.get(subject)
        if person is None:
            return
        for match in PRONOUN.finditer(text):
            span = Span(*match.span())
            if agrees(match.group(), person) and not any(n.span.overlaps(span) for n in named):
                yield NamedSpan(span, person.id)

    def likeliest(self, claim: Claim, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return the few passages with the most words of a claim, by weight, that have one of its people."""
        asked = {term: self._search.weight(term) for term in claim_terms(claim)}

        def hits(passage: Passage) -> float:
            return sum(asked[term] for term in asked.keys() & self._terms(passage))

        there = [p for p in passages if _people(claim) & self._there(p.span)]
        return sorted(there, key=hits, reverse=True)[:SEARCHED]

    def _terms(self, passage: Passage) -> frozenset[str]:
        if passage.span not in self._known:
            self._known[passage.span] = terms_of(passage.text)
        return self._known[passage.span]

    def read(self, pairs: Sequence[tuple[Claim, Passage]]) -> list[Relevance]:
        """Read claims with passages. Together they take less time than one after the other."""
        cases = [passage_case(claim, passage.span, self._search, self._context) for claim, passage in pairs]
        found = _head().read(cases)
        return [
            Relevance(
                self._narrowest(claim, passage),
                read.supported if read.best is not None else 0.0,
                bool(_people(claim) & self._there(passage.span)),
            )
            for (claim, passage), read in zip(pairs, found, strict=True)
        ]

    def _there(self, span: Span) -> frozenset[str]:
        speakers = {q.speaker for q in self._cast.quotes_in(span)}
        mentioned = {m.character for m in self._search.mentions_in(span)}
        return frozenset(who for who in speakers | mentioned if who is not None)

    def _narrowest(self, claim: Claim, passage: Passage) -> Citation:
        """Return the best sentence if one is clearly better than the others, else the passage."""
        whole = Citation(passage.span, passage.chapter)
        said = frozenset(claim_terms(claim))
        lines = [self._search.spans[at] for at in self._search.within(passage.span)]
        common = [said & terms_of(line.of(self._cast.book.text)) for line in lines]
        weights = [sum(map(self._search.weight, words)) for words in common]
        best = max(range(len(weights)), key=weights.__getitem__, default=None)
        if best is None or len(common[best]) < FEW or weights.count(weights[best]) > 1:
            return whole
        if weights[best] < CLEAR * sum(map(self._search.weight, frozenset[str]().union(*common))):
            return whole
        return Citation(lines[best], passage.chapter)


def _people(claim: Claim) -> frozenset[str]:
    named = frozenset(n.character for n in claim.people)
    return named if named or claim.subject is None else frozenset((claim.subject,))


def _head() -> EntailmentHead:
    """Load the head at first use: it needs torch."""
    from generation.checking.entailment.entailment_head import citation_head

    return citation_head()
