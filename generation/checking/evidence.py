"""Gather the evidence for a claim: the sentences it cites, those found for it, and the people in them.

A parsed book is searched for sentences that contain the claim's words and mention its people by a name or a
pronoun. Passages that a retriever found follow these sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from books.types import Span
from generation.checking.judges import composed_support
from generation.checking.judges.claim_occurrences import OccurrencePlace, survey
from generation.checking.judges.content_words import content_words
from generation.checking.judges.sentence_index import SentenceIndex, concordance_of
from generation.checking.types import Case, Evidence, WeighedRelation
from generation.story.cast import CastIndex, cast_of
from generation.story.statements import ties_of
from generation.story.ties.relation_words import meant_by
from generation.types import Citation, Claim, Context, NamedSpan
from retrieval import sentences
from retrieval.protocols import Retriever
from retrieval.types import Passage, Query

PASSAGES: Final = 6
"""Maximum number of passages that a retriever returns for a claim."""
_JOINT, _WORDS = 3, 1
"""Number of places with words and people of a claim, and of further ones with its words alone."""
_TOGETHER = 6
"""Maximum number of sentences about the relation between two people."""


def gather(claim: Claim, *, context: Context, retriever: Retriever) -> Case:
    """Return a claim with its evidence. A counted claim needs none.

    The retriever is only called if the sentences that the claim was composed from do not support it.
    """
    if claim.counted is not None:
        return Case(claim)
    case = in_book(claim, context=context)
    if case.holds:
        return case
    query = Query(text=claim.text, k=PASSAGES, upto=context.upto)
    return with_passages(case, retriever.search(query), context=context)


def in_book(claim: Claim, *, context: Context) -> Case:
    """Return a claim with what it cites and, if the book is parsed, sentences with its words and people."""
    cast = cast_of(context.book, context.annotations)
    end = len(context.book.text)
    cited = [c for c in claim.citations if c.span.end <= end]
    book = concordance_of(cast)
    if book is None:
        return Case(claim, cited=tuple(_cited(c, cast) for c in cited))
    at_hand = {at: _sentence(at, cast, book) for at in dict.fromkeys(book.at(c.span.start) for c in cited)}
    if composed_support.holds(claim, tuple(at_hand.values())):
        return Case(claim, cited=tuple(at_hand.values()), holds=True)
    return _looked_for(claim, at_hand, cast, book, context)


def with_passages(case: Case, passages: Iterable[Passage], *, context: Context) -> Case:
    """Return the case with passages that add to its sentences. Passages past the gate are dropped."""
    cast = cast_of(context.book, context.annotations)
    end = len(context.book.text)
    offered = (p for p in passages if p.span.end <= end)
    new = (p for p in offered if not any(p.span.covers(s.span) for s in case.sentences))
    return replace(case, passages=tuple(_known(p, cast) for p in new))


def _looked_for(
    claim: Claim, cited: Mapping[int, Evidence], cast: CastIndex, book: SentenceIndex, context: Context
) -> Case:
    """Search a parsed book. `cited` holds the sentences that the claim cites, by index."""
    others = {n.character for n in claim.people} - {claim.subject}
    stems = content_words(claim)
    occurrences, places = survey(book, stems, claim.subject, others, joint=_JOINT, words=_WORDS)
    relations: tuple[WeighedRelation, ...] = ()
    pair = next(iter(others)) if len(others) == 1 else None
    if claim.subject is not None and pair is not None and is_relational(claim.text):
        relations = tuple(_relations(context, claim.subject, pair))
        places += [OccurrencePlace(at, 0.0) for at in _about(book, claim.subject, pair)]
    ties = [OccurrencePlace(book.at(c.span.start), 0.0) for r in relations for c in r.tie.citations]
    words = {place.at: place.words for place in places}
    found: dict[int, Evidence] = {}
    for place in (*places, *ties):
        if place.at >= 0 and place.at not in cited and place.at not in found:
            found[place.at] = _sentence(place.at, cast, book, words=place.words)
    return Case(
        claim,
        cited=tuple(replace(e, words=words.get(at, 0.0)) for at, e in cited.items()),
        found=tuple(found.values()),
        occurrences=occurrences,
        relations=relations,
    )


def is_relational(text: str) -> bool:
    """Whether a claim contains a word for a relation between people."""
    return any(meant_by(word.strip(".,;’'").casefold()) is not None for word in text.split())


def _relations(context: Context, one: str, other: str) -> Iterator[WeighedRelation]:
    for holder, owner in ((one, other), (other, one)):
        for tie in ties_of(context.book, context.annotations, holder):
            if tie.other == owner:
                yield WeighedRelation(holder, tie)


def _about(book: SentenceIndex, one: str, other: str) -> Iterable[int]:
    """Return sentences with both people and a word for a relation, spread evenly over the book."""
    both = {*book.together(one, other), *book.together(other, one)}
    telling = [at for at in sorted(both) if book.relational(at)]
    step = max(1, len(telling) // _TOGETHER)
    return telling[::step][:_TOGETHER]


def _sentence(at: int, cast: CastIndex, book: SentenceIndex, *, words: float = 0.0) -> Evidence:
    span = book.span(at)
    return Evidence(
        span=span,
        chapter=book.chapter(at),
        text=cast.book.slice(span),
        named=_named(span, cast),
        told=book.told(at),
        near=tuple(t for t in (book.told(at - 1), book.told(at + 1)) if t is not None),
        words=words,
    )


def _cited(citation: Citation, cast: CastIndex) -> Evidence:
    text = cast.book.slice(citation.span)
    return Evidence(citation.span, citation.chapter, text, named=_named(citation.span, cast))


def _known(passage: Passage, cast: CastIndex) -> Evidence:
    return Evidence(passage.span, passage.chapter, passage.text, named=_named(passage.span, cast))


def _named(span: Span, cast: CastIndex) -> tuple[NamedSpan, ...]:
    """Return the mentions, and the speaker of each spoken sentence as an empty span at its beginning."""
    named = [NamedSpan(s.span, s.character) for s in cast.standing_in(span)]
    quotes = [q for q in cast.quotes_in(span) if q.speaker in cast.by_id]
    for sentence in sentences.split(cast.book.text, span) if quotes else ():
        speaker = next((q.speaker for q in quotes if q.span.overlaps(sentence)), None)
        if speaker is not None:
            named.append(NamedSpan(Span(sentence.start, sentence.start), speaker))
    return tuple(sorted(named, key=lambda n: n.span))
