"""What a claim is judged on: the sentences it cites, the passages found for it, and who is in them."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Span
from generation import sentences
from generation.cast import Cast, cast_of
from generation.types import Citation, Claim, Evidence, Named, Prompt
from retrieval.types import Passage


def gather(claim: Claim, *, prompt: Prompt, passages: Sequence[Passage]) -> list[Evidence]:
    """Cited sentences first. What lies past the gate is no evidence, whoever offers it."""
    cast = cast_of(prompt.book, prompt.annotations)
    end = len(prompt.book.text)
    cited = [_cited(c, cast) for c in claim.citations if c.span.end <= end]
    return cited + [_known(p, cast) for p in passages if p.span.end <= end]


def _cited(citation: Citation, cast: Cast) -> Evidence:
    paragraph = cast.book.paragraph_at(citation.span.start)
    return Evidence(
        index=paragraph.index if paragraph else 0,
        span=citation.span,
        chapter=citation.chapter,
        text=cast.book.slice(citation.span),
        named=_named(citation.span, cast),
        cited=True,
    )


def _known(passage: Passage, cast: Cast) -> Evidence:
    return Evidence(
        index=passage.index,
        span=passage.span,
        chapter=passage.chapter,
        text=passage.text,
        score=passage.score,
        findings=passage.findings,
        mentions=passage.mentions,
        named=_named(passage.span, cast),
    )


def _named(span: Span, cast: Cast) -> tuple[Named, ...]:
    """Mentions, and at the head of each spoken sentence (an empty span) whoever says it."""
    named = [Named(s.span, s.character) for s in cast.standing_in(span)]
    quotes = [q for q in cast.quotes_in(span) if q.speaker in cast.by_id]
    for sentence in sentences.split(cast.book.text, span) if quotes else ():
        speaker = next((q.speaker for q in quotes if q.span.overlaps(sentence)), None)
        if speaker is not None:
            named.append(Named(Span(sentence.start, sentence.start), speaker))
    return tuple(sorted(named, key=lambda n: n.span))
