"""Gather the evidence for a claim: the sentences it cites, then those with its words and people.

Sentences are searched for by words and by the people whom `coref` finds in them. For judges that read
more, the passages that a retriever found follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from books.types import Span
from generation.checking.entailment.sentence_search import SentenceSearch, search_of
from generation.checking.types import Case, Evidence
from generation.story.cast import cast_of
from generation.types import Citation, Claim, Context, NamedSpan
from retrieval.protocols import Retriever
from retrieval.types import Passage, Query

PASSAGES: Final = 6
"""Maximum number of passages that a retriever returns for a claim."""
SENTENCES: Final = 6
"""Maximum number of sentences found by words and people."""
SURE: Final = 0.6
"""Minimum confidence of a mention, or of a quote's speaker, that counts as evidence about somebody."""


def gather(claim: Claim, *, context: Context, retriever: Retriever, offered: Sequence[Citation] = ()) -> Case:
    """Return a claim with its evidence. What the book says word for word needs no search."""
    case = in_book(claim, context=context, offered=offered)
    if claim.quoted:
        return case
    passages = retriever.search(Query(text=claim.text, k=PASSAGES, upto=context.upto))
    return with_passages(case, passages, context=context)


def in_book(claim: Claim, *, context: Context, offered: Sequence[Citation] = ()) -> Case:
    """Return a claim with what it cites, what its writer `offered` besides, and the sentences found."""
    search = search_of(cast_of(context.book, context.annotations))
    end = len(context.book.text)
    cited = tuple(_cited(c, claim, search) for c in claim.citations if c.span.end <= end)
    if claim.quoted:
        cited = tuple(replace(each, text=context.book.told(each.span)) for each in cited)
        return Case(claim, cited=cited, context=context)
    best = search.search(claim, most=SENTENCES)
    found = (replace(evidence_at(at, claim, search), words=words) for at, words in best)
    new = tuple(f for f in found if f.span not in {c.span for c in cited})
    shown = tuple(_cited(c, claim, search) for c in offered if c.span.end <= end)
    return Case(
        claim,
        cited=cited,
        offered=shown,
        found=new,
        signs=search.signs(claim),
        strange=search.lacks_a_name(claim),
        context=context,
    )


def with_passages(case: Case, passages: list[Passage], *, context: Context) -> Case:
    """Return the case with passages that add to its sentences. Passages past the gate are dropped."""
    search = search_of(cast_of(context.book, context.annotations))
    end = len(context.book.text)
    sentences = case.evidence
    new = (p for p in passages if p.span.end <= end and not any(p.span == s.span for s in sentences))
    return replace(case, passages=tuple(_cited(Citation(p.span, p.chapter), case.claim, search) for p in new))


def evidence_at(at: int, claim: Claim, search: SentenceSearch) -> Evidence:
    """Return a sentence of the book as evidence for a claim."""
    return _cited(Citation(search.spans[at], search.chapters[at]), claim, search)


def _cited(citation: Citation, claim: Claim, search: SentenceSearch) -> Evidence:
    inside = search.within(citation.span)
    sure = (search.certainty(claim.subject, at) for at in inside) if claim.subject is not None else ()
    return Evidence(
        span=citation.span,
        chapter=citation.chapter,
        text=search.cast.book.slice(citation.span),
        named=_named(citation.span, search),
        certainty=max(sure, default=1.0 if claim.subject is None else 0.0),
    )


def _named(span: Span, search: SentenceSearch) -> tuple[NamedSpan, ...]:
    """Return the mentions, and the speaker as an empty span at the beginning if it is all in one quote."""
    cast = search.cast
    named = [
        NamedSpan(m.span, m.character)
        for m in search.mentions_in(span)
        if m.confidence >= SURE and m.character is not None and m.character in cast.by_id
    ]
    for quote in cast.quotes_in(span):
        if quote.speaker is not None and quote.speaker in cast.by_id and quote.confidence >= SURE:
            named.append(NamedSpan(Span(span.start, span.start), quote.speaker))
            break
    return tuple(sorted(named, key=lambda n: n.span))
