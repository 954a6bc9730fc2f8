"""Measure a resolver on LitBank's documents: mentions by kind and category, and coreference.

A document becomes a book of one chapter and one paragraph, its tokens joined by single spaces, because
LitBank keeps no more of a text. Gold and found mentions match when their spans are identical; found mentions
that begin or end inside a token count as wrong, and are reported separately.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from pathlib import Path

from books.types import Book, Chapter, ChaptersBy, ImportReport, Paragraph, Span
from coref.native.document import Document
from coref.protocols import LinksGivenMentions, ParsesWords, Resolver
from coref.training.litbank import LitbankDocument, LitbankMention, load, read_ids
from coref.types import Annotations, EntityCategory, Mention, MentionKind
from evaluation.coref.engines import clusters_of, mentions_of, persons_of
from evaluation.coref.scores import Coreference, coreference, mentions, without_singletons
from evaluation.coref.tallies import PrecisionRecall, Share, pooled

_ANN = "_brat.ann"


@dataclass(frozen=True, slots=True)
class MentionScope:
    """A selection of gold mentions, and the comparison of the found ones with it."""

    mentions: PrecisionRecall
    kinds: Mapping[str, PrecisionRecall]
    """Recall of the gold's mentions of a kind, and precision of those that the resolver assigns that kind.

    It is not measured whether a found mention got the gold's kind.
    """
    categories: Mapping[str, PrecisionRecall]
    """By category, as for kinds."""
    with_singletons: Coreference
    without_singletons: Coreference
    gold_with_singletons: Coreference | None
    """With the gold's mentions given; None where the resolver does not offer that."""
    gold_without_singletons: Coreference | None


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of a document, or of all together: counts are then summed before anything is divided."""

    name: str
    tokens: int
    off_tokens: int
    """Found mentions that begin or end inside a token."""
    all: MentionScope
    persons: MentionScope
    """The gold's mentions of category PER, against those that the resolver classifies as persons."""
    events: PrecisionRecall | None = None
    """Event words; None where the resolver does not find them, or nobody annotated them."""


def documents(folder: Path, ids: Path | None) -> list[LitbankDocument]:
    """Return the documents that `ids` lists, or all."""
    if ids is not None:
        return load(folder, read_ids(ids))
    return load(folder, sorted(p.name.removesuffix(_ANN) for p in (folder / "coref").glob(f"*{_ANN}")))


def book_of(document: LitbankDocument) -> Book:
    text = " ".join(document.document.words)
    whole = Span(0, len(text))
    return Book(
        text=text,
        title=document.name,
        author=None,
        chapters=(Chapter(0, "", whole),),
        paragraphs=(Paragraph(0, 0, whole),),
        excluded=(),
        report=ImportReport("text", "utf-8", "en", ChaptersBy.NONE),
    )


def scored(document: LitbankDocument, resolver: Resolver) -> DocumentScores:
    book = book_of(document)
    places = _places(document)
    annotations = resolver.annotate(book)
    gold = {_span(mention, places): mention for mention in document.mentions}
    persons = {span: mention for span, mention in gold.items() if mention.category == "PER"}
    starts, ends = {place.start for place in places}, {place.end for place in places}
    found = mentions_of(annotations)
    return DocumentScores(
        name=document.name,
        tokens=len(places),
        off_tokens=sum(span.start not in starts or span.end not in ends for span in found),
        all=_scope(book, gold, annotations, resolver),
        persons=_scope(book, persons, persons_of(annotations), resolver),
        events=events(document.document, document.events, resolver)
        if document.events and isinstance(resolver, ParsesWords)
        else None,
    )


def together(name: str, parts: Sequence[DocumentScores]) -> DocumentScores:
    return DocumentScores(
        name=name,
        tokens=sum(part.tokens for part in parts),
        off_tokens=sum(part.off_tokens for part in parts),
        all=_joined([part.all for part in parts]),
        persons=_joined([part.persons for part in parts]),
        events=pooled(marked) if (marked := [part.events for part in parts if part.events]) else None,
    )


def events(document: Document, gold: Sequence[bool], parser: ParsesWords) -> PrecisionRecall:
    """Return the scores of event words; `gold` has one value per word."""
    found = parser.parse_words([document.words[start:end] for start, end in document.sentences]).events
    return mentions(_happening(gold), _happening(found))


def _happening(events: Sequence[bool]) -> list[int]:
    return [at for at, happens in enumerate(events) if happens]


def _places(document: LitbankDocument) -> list[Span]:
    words = document.document.words
    starts = accumulate((len(word) + 1 for word in words), initial=0)
    return [Span(start, start + len(word)) for start, word in zip(starts, words, strict=False)]


def _span(mention: LitbankMention, places: Sequence[Span]) -> Span:
    first, end = mention.span
    return Span(places[first].start, places[end - 1].end)


def _scope(
    book: Book, gold: Mapping[Span, LitbankMention], annotations: Annotations, resolver: Resolver
) -> MentionScope:
    found = mentions_of(annotations)
    entities: dict[str, set[Span]] = {}
    for span, mention in gold.items():
        entities.setdefault(mention.entity, set()).add(span)
    wanted = list(entities.values())
    got = clusters_of(annotations)
    given = _linked(book, gold, resolver)
    return MentionScope(
        mentions=mentions(gold, found),
        kinds={kind.value: _alike("kind", kind, gold, found) for kind in MentionKind},
        categories={each.value: _alike("category", each, gold, found) for each in EntityCategory},
        with_singletons=coreference(wanted, got),
        without_singletons=coreference(without_singletons(wanted), without_singletons(got)),
        gold_with_singletons=None if given is None else coreference(wanted, given),
        gold_without_singletons=None
        if given is None
        else coreference(without_singletons(wanted), without_singletons(given)),
    )


def _linked(book: Book, gold: Collection[Span], resolver: Resolver) -> list[set[Span]] | None:
    """Return the clusters; given mentions that the resolver leaves out are singletons."""
    if not isinstance(resolver, LinksGivenMentions):
        return None
    given = [set(cluster) for cluster in resolver.link(book, sorted(gold))]
    linked = {span for cluster in given for span in cluster}
    return [*given, *({span} for span in gold if span not in linked)]


def _alike(
    trait: str, value: StrEnum, gold: Mapping[Span, LitbankMention], found: Mapping[Span, Mention]
) -> PrecisionRecall:
    """Score the mentions of one kind or category."""
    wanted = [span in found for span, mention in gold.items() if getattr(mention, trait) == value]
    got = [span in gold for span, mention in found.items() if getattr(mention, trait) == value]
    return PrecisionRecall(Share(sum(got), len(got)), Share(sum(wanted), len(wanted)))


def _joined(scopes: Sequence[MentionScope]) -> MentionScope:
    def over(take: Callable[[MentionScope], Coreference | None]) -> Coreference | None:
        parts = [part for part in map(take, scopes) if part is not None]
        return _sum(parts) if parts else None

    return MentionScope(
        mentions=pooled(scope.mentions for scope in scopes),
        kinds={kind.value: pooled(scope.kinds[kind.value] for scope in scopes) for kind in MentionKind},
        categories={
            name.value: pooled(scope.categories[name] for scope in scopes) for name in EntityCategory
        },
        with_singletons=_sum(scope.with_singletons for scope in scopes),
        without_singletons=_sum(scope.without_singletons for scope in scopes),
        gold_with_singletons=over(lambda scope: scope.gold_with_singletons),
        gold_without_singletons=over(lambda scope: scope.gold_without_singletons),
    )


def _sum(parts: Iterable[Coreference]) -> Coreference:
    return sum(parts, Coreference())
