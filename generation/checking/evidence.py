"""What a claim is judged on: the sentences it cites, what is found for it, and who is in them.

Of a book whose grammar is known the places are found in it: where the words of the claim stand with the
people whom the claim is about, by name or by pronoun. Passages that a retriever found come after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from books.types import Span
from generation import sentences
from generation.checking.judges import composed_support
from generation.checking.judges.claim_occurrences import NOWHERE, ClaimOccurrences, OccurrencePlace, survey
from generation.checking.judges.content_words import content_words
from generation.checking.judges.parsed_evidence import ParsedEvidence, WeighedRelation
from generation.checking.judges.sentence_index import SentenceIndex, concordance_of
from generation.story.cast import CastIndex, cast_of
from generation.story.dossier_builder import ties_of
from generation.story.ties.relation_words import meant_by
from generation.types import Citation, Claim, Context, Evidence, NamedSpan
from retrieval.types import Passage

_JOINT, _WORDS = 3, 1
"""Places that have words and people of a claim, and further ones that have its words."""
_TOGETHER = 6
"""Sentences about two people that say what they are to each other."""


def gather(claim: Claim, *, context: Context, passages: Sequence[Passage]) -> list[Evidence]:
    """Cited sentences first. What lies past the gate is no evidence, whoever offers it."""
    cast = cast_of(context.book, context.annotations)
    end = len(context.book.text)
    cited = [c for c in claim.citations if c.span.end <= end]
    offered = [_known(p, cast) for p in passages if p.span.end <= end]
    book = concordance_of(cast)
    if book is None:
        return [_cited(c, cast) for c in cited] + offered
    at_hand = list(_cited_materials(cited, cast, book))
    if composed_support.holds(claim, at_hand):
        return list(at_hand)
    found = list(_materials(claim, at_hand, cast, book, context))
    return [*found, *(p for p in offered if not any(p.span.covers(m.span) for m in found))]


def _cited_materials(
    cited: Sequence[Citation], cast: CastIndex, book: SentenceIndex
) -> Iterator[ParsedEvidence]:
    for at in dict.fromkeys(book.at(c.span.start) for c in cited):
        yield _material(at, 0.0, NOWHERE, (), cast, book, cited=True)


def _materials(
    claim: Claim, cited: Sequence[ParsedEvidence], cast: CastIndex, book: SentenceIndex, context: Context
) -> Iterator[ParsedEvidence]:
    others = {n.character for n in claim.people} - {claim.subject}
    stems = content_words(claim)
    surveyed, places = survey(book, stems, claim.subject, others, joint=_JOINT, words=_WORDS)
    bonds: tuple[WeighedRelation, ...] = ()
    pair = next(iter(others)) if len(others) == 1 else None
    if claim.subject is not None and pair is not None and is_relational(claim.text):
        bonds = tuple(_bonds(context, claim.subject, pair))
        places += [OccurrencePlace(at, 0.0) for at in _about(book, claim.subject, pair)]
    ties = (OccurrencePlace(book.at(c.span.start), 0.0) for bond in bonds for c in bond.tie.citations)
    words = {place.at: place.words for place in places}
    done = {m.index for m in cited}
    yield from (replace(m, words=words.get(m.index, 0.0), survey=surveyed, bonds=bonds) for m in cited)
    for place in (*places, *ties):
        if place.at not in done and place.at >= 0:
            done.add(place.at)
            yield _material(place.at, place.words, surveyed, bonds, cast, book)


def is_relational(text: str) -> bool:
    """Whether a claim has a word for what people are to each other."""
    return any(meant_by(word.strip(".,;’'").casefold()) is not None for word in text.split())


def _bonds(context: Context, one: str, other: str) -> Iterator[WeighedRelation]:
    for holder, owner in ((one, other), (other, one)):
        for tie in ties_of(context.book, context.annotations, holder):
            if tie.other == owner:
                yield WeighedRelation(holder, tie)


def _about(book: SentenceIndex, one: str, other: str) -> Iterable[int]:
    """Where both are, and a word for what people are to each other; each kind of word has its turn."""
    both = {*book.together(one, other), *book.together(other, one)}
    telling = [at for at in sorted(both) if book.relational(at)]
    step = max(1, len(telling) // _TOGETHER)
    return telling[::step][:_TOGETHER]


def _material(
    at: int,
    words: float,
    surveyed: ClaimOccurrences,
    bonds: tuple[WeighedRelation, ...],
    cast: CastIndex,
    book: SentenceIndex,
    *,
    cited: bool = False,
) -> ParsedEvidence:
    span = book.span(at)
    return ParsedEvidence(
        index=at,
        span=span,
        chapter=book.chapter(at),
        text=cast.book.slice(span),
        named=_named(span, cast),
        cited=cited,
        told=book.told(at),
        near=tuple(t for t in (book.told(at - 1), book.told(at + 1)) if t is not None),
        words=words,
        survey=surveyed,
        bonds=bonds,
    )


def _cited(citation: Citation, cast: CastIndex) -> Evidence:
    paragraph = cast.book.paragraph_at(citation.span.start)
    return Evidence(
        index=paragraph.index if paragraph else 0,
        span=citation.span,
        chapter=citation.chapter,
        text=cast.book.slice(citation.span),
        named=_named(citation.span, cast),
        cited=True,
    )


def _known(passage: Passage, cast: CastIndex) -> Evidence:
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


def _named(span: Span, cast: CastIndex) -> tuple[NamedSpan, ...]:
    """Mentions, and at the head of each spoken sentence (an empty span) whoever says it."""
    named = [NamedSpan(s.span, s.character) for s in cast.standing_in(span)]
    quotes = [q for q in cast.quotes_in(span) if q.speaker in cast.by_id]
    for sentence in sentences.split(cast.book.text, span) if quotes else ():
        speaker = next((q.speaker for q in quotes if q.span.overlaps(sentence)), None)
        if speaker is not None:
            named.append(NamedSpan(Span(sentence.start, sentence.start), speaker))
    return tuple(sorted(named, key=lambda n: n.span))
