"""Measure a resolver on novels with known speakers: speakers and addressees of quotes, cast, mentions.

Quotes and mentions of nobody in particular (a crowd, an unidentifiable person) or of several at once are left
out; everything else that is not right is wrong, including what was not found or not resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from coref.protocols import KnownCharacter, Resolver, TakesGivenCast
from coref.types import Annotations, Quote
from evaluation.coref.casting import CastMatching, cast, speakers_of, strange_words
from evaluation.coref.engines import mentions_of
from evaluation.coref.pdnc import CATEGORIES, TYPES, PdncNovel
from evaluation.coref.tallies import Share, pooled_shares

ALL = "all"
"""The name of all novels together."""
OVERALL = "all"
"""Beside the types: quotes without a type count here too."""


@dataclass(frozen=True, slots=True)
class NovelScores:
    """The scores of a novel, or of several together: counts are then summed before anything is divided."""

    name: str
    half: str
    words: int
    quotes_found: Share
    """The gold's quotes that one of ours overlaps."""
    quotes_right: Share
    """Our quotes that overlap one of the gold's."""
    speakers: Mapping[str, Share]
    """By type, with the resolver's own cast."""
    given_speakers: Mapping[str, Share] | None
    """By type, with the gold's cast given; None where the resolver does not offer that."""
    addressees: Share
    """The gold's quotes with one addressee whose addressee we have right, with our own cast."""
    given_addressees: Share | None
    mentions: Share
    """The gold's mentions inside quotes that have the right character at exactly the same place."""
    mentions_found: Share
    """… those that have a mention at exactly the same place, of any character."""
    cast: Mapping[str, Share]
    """By category: the gold's characters that were found."""
    splits: Share
    """Clusters for each major character that has any."""
    merges: Share
    """The listed characters that are several of the gold's."""
    strangers: Share
    """The listed characters that are none of the gold's.

    The gold lists people who speak or are spoken of; people whom only the narration names are strangers to
    it.
    """
    strange_names: Share
    """… and whose name has no word that the gold knows."""
    missing: tuple[str, ...]
    """Major and intermediate characters that were not found."""


def measured(novel: PdncNovel, resolver: Resolver, half: str) -> NovelScores:
    annotations = resolver.annotate(novel.book)
    ours = speakers_of(novel.quotes, annotations)
    casting = cast(novel, annotations, [quote.speaker if quote else None for quote in ours])
    listed = annotations.characters
    strangers = [character for character in listed if character.id not in casting.identities]
    found, right = _mentions(novel, annotations, casting)
    met = _met(casting)
    given = _with_given_cast(novel, resolver)
    return NovelScores(
        name=novel.name,
        half=half,
        words=novel.book.word_count,
        quotes_found=Share(sum(quote is not None for quote in ours), len(ours)),
        quotes_right=_quotes_right(novel, annotations),
        speakers=_speakers(novel, ours, casting.partners),
        given_speakers=given[0] if given else None,
        addressees=_addressees(novel, ours, casting.partners),
        given_addressees=given[1] if given else None,
        mentions=right,
        mentions_found=found,
        cast={category: _recall(novel, met, category) for category in CATEGORIES},
        splits=_splits(novel, casting),
        merges=Share(len(casting.merged), len(listed)),
        strangers=Share(len(strangers), len(listed)),
        strange_names=Share(sum(strange_words(c, novel) for c in strangers), len(listed)),
        missing=tuple(
            sorted(
                c.name
                for c in novel.cast.values()
                if c.somebody and c.category != "minor" and c.name not in met
            )
        ),
    )


def together(name: str, parts: Sequence[NovelScores]) -> NovelScores:
    def over(take: Callable[[NovelScores], Share]) -> Share:
        return pooled_shares(map(take, parts))

    given = [part.given_speakers for part in parts if part.given_speakers is not None]
    given_heard = [part.given_addressees for part in parts if part.given_addressees is not None]
    return NovelScores(
        name=name,
        half="".join(sorted({part.half for part in parts})),
        words=sum(part.words for part in parts),
        quotes_found=over(lambda part: part.quotes_found),
        quotes_right=over(lambda part: part.quotes_right),
        speakers=_by_type([part.speakers for part in parts]),
        given_speakers=_by_type(given) if given else None,
        addressees=over(lambda part: part.addressees),
        given_addressees=pooled_shares(given_heard) if given_heard else None,
        mentions=over(lambda part: part.mentions),
        mentions_found=over(lambda part: part.mentions_found),
        cast={c: pooled_shares(part.cast[c] for part in parts) for c in CATEGORIES},
        splits=over(lambda part: part.splits),
        merges=over(lambda part: part.merges),
        strangers=over(lambda part: part.strangers),
        strange_names=over(lambda part: part.strange_names),
        missing=tuple(f"{part.name}: {who}" for part in parts for who in part.missing),
    )


def _by_type(parts: Sequence[Mapping[str, Share]]) -> dict[str, Share]:
    return {kind: pooled_shares(part[kind] for part in parts) for kind in (OVERALL, *TYPES)}


def _speakers(novel: PdncNovel, ours: Sequence[Quote | None], meaning: Mapping[str, str]) -> dict[str, Share]:
    shares = dict.fromkeys((OVERALL, *TYPES), Share())
    for gold, quote in zip(novel.quotes, ours, strict=True):
        if not novel.has_somebody(gold.speaker):
            continue
        said = quote.speaker if quote else None
        share = Share(said is not None and meaning.get(said) == gold.speaker, 1)
        shares[OVERALL] += share
        if gold.type:
            shares[gold.type] += share
    return shares


def _addressees(novel: PdncNovel, ours: Sequence[Quote | None], meaning: Mapping[str, str]) -> Share:
    found = Share()
    for gold, quote in zip(novel.quotes, ours, strict=True):
        if len(gold.addressees) == 1 and novel.has_somebody(gold.addressees[0]):
            heard = quote.addressee if quote else None
            found += Share(heard is not None and meaning.get(heard) == gold.addressees[0], 1)
    return found


def _with_given_cast(novel: PdncNovel, resolver: Resolver) -> tuple[dict[str, Share], Share] | None:
    """Return the scores of speakers and addressees."""
    if not isinstance(resolver, TakesGivenCast):
        return None
    known = [
        KnownCharacter(c.name, c.name, tuple(sorted(c.aliases))) for c in novel.cast.values() if c.somebody
    ]
    annotations = resolver.annotate_given(novel.book, known)
    ours, themselves = speakers_of(novel.quotes, annotations), {c.id: c.id for c in known}
    return _speakers(novel, ours, themselves), _addressees(novel, ours, themselves)


def _quotes_right(novel: PdncNovel, annotations: Annotations) -> Share:
    ours = sorted(quote.span for quote in annotations.quotes)
    gold = sorted(span for quote in novel.quotes for span in quote.spans)
    right = 0
    at = 0
    for span in ours:
        while at < len(gold) and gold[at].end <= span.start:
            at += 1
        right += at < len(gold) and gold[at].overlaps(span)
    return Share(right, len(ours))


def _mentions(novel: PdncNovel, annotations: Annotations, casting: CastMatching) -> tuple[Share, Share]:
    found, right, every = 0, 0, 0
    ours = mentions_of(annotations)
    for mention in (mention for quote in novel.quotes for mention in quote.mentions):
        if len(mention.characters) != 1 or not novel.has_somebody(mention.characters[0]):
            continue
        every += 1
        own = ours.get(mention.span)
        found += own is not None
        meant = own.character if own else None
        right += meant is not None and casting.partners.get(meant) == mention.characters[0]
    return Share(found, every), Share(right, every)


def _met(casting: CastMatching) -> set[str]:
    """Return the gold's characters whose partner is really the same person."""
    return {gold for ours, gold in casting.partners.items() if casting.identities.get(ours) == gold}


def _recall(novel: PdncNovel, met: set[str], category: str) -> Share:
    wanted = {c.name for c in novel.cast.values() if c.category == category and c.somebody}
    return Share(len(wanted & met), len(wanted))


def _splits(novel: PdncNovel, casting: CastMatching) -> Share:
    clusters = [
        gold
        for gold in casting.identities.values()
        if gold in novel.cast and novel.cast[gold].category == "major"
    ]
    return Share(len(clusters), len(set(clusters)))
