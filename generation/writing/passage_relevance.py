"""Decide by two heads whether a passage bears a sentence out.

The citation head reads the passage. The judge's head reads what the whole book has on the sentence: of many
passages one is like a false sentence by chance, and it is unlikely that the book bears that out. A citation
of the model needs less than a search result: the model read the passage and wrote in its own words, while a
search only compares words. generation/checking/entailment/MODEL_CARD.md has the figures.

The heads read English alone. A Chinese sentence about a Chinese book is compared with the passage by words;
where sentence and book are in two languages, a citation is kept if the people are there, and a search finds
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from books.languages import CHINESE
from books.types import Span
from generation.checking.entailment.cited_passage import asked_of, passage_case, share, terms_of
from generation.checking.entailment.sentence_search import claim_terms, search_of
from generation.checking.evidence import in_book
from generation.story.cast import cast_of
from generation.types import Category, Citation, Claim, Context
from retrieval.tokenizer import is_chinese
from retrieval.types import Passage

if TYPE_CHECKING:
    from generation.checking.entailment.reading_head import ReadingHead

CITED: Final = 0.35
"""Probability that a passage that the model cites bears the sentence out, from which it is kept.

Chosen on three dev novels with `LeastSupport.book`, before any test title was measured.
"""
FEW = 2
"""Minimum number of common words of a sentence that is cited alone."""
SEARCHED = 3
"""Maximum number of passages that are read for a sentence without a citation."""
CLEAR = 0.75
"""Share of a passage's common words, by weight, that its best sentence must contain to be cited instead."""


@dataclass(frozen=True, slots=True)
class LeastSupport:
    """From which support a passage is relevant enough."""

    cited: float
    """If the model cites it."""
    found: float
    """If a search found it."""
    book: float = 0.0
    """By the book as a whole, in both cases."""


BY_WORDS = LeastSupport(0.3, 0.5)
UNREAD = LeastSupport(0.0, inf)


@dataclass(frozen=True, slots=True)
class Relevance:
    citation: Citation
    support: float
    """Probability that the passage bears the sentence out; for a Chinese one, its share of common words."""
    by_book: float
    """Probability that the book as a whole does; 0 if that is not read."""
    people: bool
    """Whether it mentions somebody the sentence is about."""
    least: LeastSupport

    @property
    def cited(self) -> bool:
        return self._enough(self.least.cited)

    @property
    def found(self) -> bool:
        return self._enough(self.least.found)

    def _enough(self, least: float) -> bool:
        return self.people and self.support >= least and self.by_book >= self.least.book


class RelevanceReader:
    """Measures the relevance of passages to sentences about a book."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._cast = cast_of(context.book, context.annotations)
        self._search = search_of(self._cast)
        self._known: dict[Span, frozenset[str]] = {}
        self._by_book: dict[Claim, float] = {}

    def claim(self, text: str, about: tuple[str, ...]) -> Claim:
        """Return the sentence as a claim. `about` has the people to whom its pronouns may refer.

        It is about the first of them if it means them, else about whom it names first.
        """
        subject = next(iter(about), None)
        people = self._cast.names.people_in(text, self._cast.by_id.get(subject or ""))
        if people and subject not in {n.character for n in people}:
            subject = people[0].character
        return Claim(text, Category.OTHER, 0, Span(0, len(text)), subject, people=people)

    def likeliest(self, claim: Claim, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return the few passages with the most words of a claim, by weight, that have one of its people."""
        asked = asked_of(claim, self._search)
        there = [p for p in passages if self.has_people(claim, p)]
        return sorted(there, key=lambda p: share(asked, self._terms(p)), reverse=True)[:SEARCHED]

    def _terms(self, passage: Passage) -> frozenset[str]:
        if passage.span not in self._known:
            self._known[passage.span] = terms_of(passage.text)
        return self._known[passage.span]

    def read(self, pairs: Sequence[tuple[Claim, Passage]]) -> list[Relevance]:
        """Read claims with passages. Together they take less time than one after the other."""
        supports = self.supports(pairs)
        there = [self.has_people(claim, passage) for claim, passage in pairs]
        leasts = [self._language(claim) or _least() for claim, _ in pairs]
        self._read_book(
            claim
            for (claim, _), support, people, least in zip(pairs, supports, there, leasts, strict=True)
            if people and least.book and support >= least.cited
        )
        return [
            Relevance(self._narrowest(claim, passage), support, self._by_book.get(claim, 0.0), people, least)
            for (claim, passage), support, people, least in zip(pairs, supports, there, leasts, strict=True)
        ]

    def supports(self, pairs: Sequence[tuple[Claim, Passage]]) -> list[float]:
        """Return how likely each passage, read by itself, bears its claim out."""
        readable = [pair for pair in pairs if self._language(pair[0]) is None]
        read = iter(self._by_head(readable) if readable else ())
        return [
            next(read)
            if self._language(claim) is None
            else share(asked_of(claim, self._search), self._terms(passage))
            for claim, passage in pairs
        ]

    def _language(self, claim: Claim) -> LeastSupport | None:
        """Return what is enough without the head, or None if it can read sentence and book."""
        told, book = is_chinese(claim.text), self._context.book.language == CHINESE
        return BY_WORDS if told and book else UNREAD if told or book else None

    def _by_head(self, pairs: Sequence[tuple[Claim, Passage]]) -> list[float]:
        cases = [passage_case(claim, passage.span, self._search, self._context) for claim, passage in pairs]
        return [read.supported if read.best is not None else 0.0 for read in _head().read(cases)]

    def _read_book(self, claims: Iterable[Claim]) -> None:
        """Remember for each claim what the judge's head says of it and of the sentences found for it."""
        new = [claim for claim in dict.fromkeys(claims) if claim not in self._by_book]
        if new:
            read = _book_head().read([in_book(claim, context=self._context) for claim in new])
            self._by_book |= {claim: each.supported for claim, each in zip(new, read, strict=True)}

    def has_people(self, claim: Claim, passage: Passage) -> bool:
        """Whether a passage mentions somebody the claim is about."""
        return bool(_people(claim) & self._there(passage.span))

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


def _least() -> LeastSupport:
    one, whole = _head().weights, _book_head().weights
    return LeastSupport(CITED, one.supported, whole.unsupported)


def _head() -> ReadingHead:
    """Load the head for a passage at first use: it needs torch."""
    from generation.checking.entailment.reading_head import citation_head

    return citation_head()


def _book_head() -> ReadingHead:
    """Load the judge's head at first use."""
    from generation.checking.entailment.reading_head import own_head

    return own_head()
