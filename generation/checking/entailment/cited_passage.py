"""Read a claim with one passage that is cited for it: the sentences of the passage are the evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from books.types import Span
from generation.checking.entailment.sentence_search import SentenceSearch, claim_terms
from generation.checking.evidence import evidence_at
from generation.checking.types import Case
from generation.stems import stem
from generation.types import Claim, Context
from retrieval.tokenizer import terms

READ: Final = 6
"""Maximum number of sentences of a passage that are read."""


def passage_case(claim: Claim, passage: Span, search: SentenceSearch, context: Context) -> Case:
    """Return the claim with the sentences of the passage that have most of its words, best first."""
    asked, text = asked_of(claim, search), search.cast.book.text
    shares = {at: share(asked, terms_of(search.spans[at].of(text))) for at in search.within(passage)}
    best = sorted(shares, key=lambda at: (-shares[at], at))[:READ]
    found = (replace(evidence_at(at, claim, search), words=shares[at]) for at in best)
    return Case(claim, found=tuple(found), strange=search.lacks_a_name(claim), context=context)


def asked_of(claim: Claim, search: SentenceSearch) -> dict[str, float]:
    """Return the terms of a claim with their weights in the book."""
    return {term: search.weight(term) for term in claim_terms(claim)}


def share(asked: dict[str, float], there: frozenset[str]) -> float:
    """Return the share of the terms, by weight, that are there."""
    return sum(asked[term] for term in asked.keys() & there) / (sum(asked.values()) or 1.0)


def terms_of(text: str) -> frozenset[str]:
    return frozenset(map(stem, terms(text)))
