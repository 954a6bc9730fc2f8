"""Match the resolver's characters with the gold's.

Evidence that our character C is the gold's G is counted:

- every mention of C whose text is one of G's aliases (ignoring case, blanks and a leading article; in the
  corpus an alias belongs to one character only);
- every gold quote of G's that we attribute to C;
- every gold mention inside a quote that means G alone, where we have a mention of C at the very same place.

*Partners* are paired one to one so that the total evidence of all pairs is greatest; a pair without any
evidence is dropped. Partners decide whether a speaker or a mention is right.

Accidental partners should not count as found, so the cast is judged more strictly. C *is* the character with
the most evidence among those whose aliases its mentions use. A C that uses nobody's alias is G when the
evidence for G is at least `SURE` and half of C's mentions and quotes together. A gold character is found when
its partner *is* that character; a main character is split when several of ours are that character; ours is a
stranger when it is nobody; ours is merged when two of the gold's characters each have `SURE` and a share of
`MERGED` of those mentions of C that use any alias.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from books.types import Span
from coref.types import Annotations, Character, Mention, Quote
from evaluation.coref.engines import mentions_of
from evaluation.coref.pdnc import PdncNovel, PdncQuote

SURE = 3
MERGED = 0.2
_ARTICLE = re.compile(r"^(?:the|an?) (?=.)")


@dataclass(frozen=True, slots=True)
class CastMatching:
    partners: Mapping[str, str]
    """From our character's id to the gold's main name, one to one."""
    identities: Mapping[str, str]
    """From our character's id to the gold character that it is; several may be the same."""
    merged: frozenset[str]
    """Ids of ours that are several of the gold's."""


@dataclass(slots=True)
class _Evidence:
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    named: dict[str, Counter[str]] = field(default_factory=dict)
    """The part of the evidence that is by aliases."""
    size: Counter[str] = field(default_factory=Counter)
    """The number of mentions and quotes of each of our characters."""

    def add(self, ours: str, gold: str, *, named: bool = False) -> None:
        self.counts.setdefault(ours, Counter())[gold] += 1
        if named:
            self.named.setdefault(ours, Counter())[gold] += 1

    def identity(self, ours: str) -> str | None:
        if not (counts := self.counts.get(ours)):
            return None
        if named := self.named.get(ours):
            return _most(counts, among=named)
        gold = _most(counts, among=counts)
        return gold if counts[gold] >= max(SURE, self.size[ours] / 2) else None

    def merged(self, ours: str) -> bool:
        named = self.named.get(ours, Counter())
        return sum(n >= max(SURE, MERGED * named.total()) for n in named.values()) > 1


def cast(novel: PdncNovel, annotations: Annotations, speakers: Sequence[str | None]) -> CastMatching:
    """Match the casts; `speakers` are the characters to whom we attribute the gold's quotes, in order."""
    evidence = _gathered(novel, annotations, speakers)
    ids = [character.id for character in annotations.characters]
    identities = {ours: gold for ours in ids if (gold := evidence.identity(ours)) is not None}
    merged = frozenset(ours for ours in ids if evidence.merged(ours))
    return CastMatching(_partners(evidence.counts), identities, merged)


def speakers_of(quotes: Sequence[PdncQuote], annotations: Annotations) -> list[Quote | None]:
    """Return, for each gold quote, our quote that overlaps it most; None where none does."""
    ours = sorted(annotations.quotes, key=lambda quote: quote.span)
    ordered = sorted(
        ((span, at) for at, quote in enumerate(quotes) for span in quote.spans), key=lambda pair: pair[0]
    )
    shares: list[Counter[int]] = [Counter() for _ in quotes]
    first = 0
    for span, at in ordered:
        # Our quotes may nest, so one that ends too early is skipped only while no earlier one can still reach
        # on.
        while first < len(ours) and ours[first].span.end <= span.start:
            first += 1
        for index in _reaching(ours, first, span):
            quote = ours[index].span
            shares[at][index] += min(quote.end, span.end) - max(quote.start, span.start)
    return [ours[min(s, key=lambda i: (-s[i], i))] if s else None for s in shares]


def plain_name(text: str) -> str:
    return _ARTICLE.sub("", " ".join(text.casefold().split()))


def strange_words(character: Character, novel: PdncNovel) -> bool:
    """Return whether the gold knows no word of its name but titles: then it is hardly one of the gold's."""
    known = {word for gold in novel.cast.values() for alias in gold.aliases for word in _words(alias)}
    return not known & _words(character.name)


def _words(name: str) -> set[str]:
    """Return the words of a name; a word with a full stop is a title or an initial."""
    return {word for word in plain_name(name).split() if len(word) > 2 and not word.endswith(".")} - {
        "miss",
        "lady",
        "sir",
        "lord",
    }


def _reaching(ours: Sequence[Quote], first: int, span: Span) -> Iterator[int]:
    for index in range(first, len(ours)):
        if ours[index].span.start >= span.end:
            return
        if ours[index].span.overlaps(span):
            yield index


def _gathered(novel: PdncNovel, annotations: Annotations, speakers: Sequence[str | None]) -> _Evidence:
    evidence = _Evidence()
    evidence.size.update(m.character for m in annotations.mentions if m.character is not None)
    evidence.size.update(quote.speaker for quote in annotations.quotes if quote.speaker is not None)
    aliases = {plain_name(alias): g.name for g in novel.cast.values() for alias in sorted(g.aliases)}
    for mention in annotations.mentions:
        gold = aliases.get(plain_name(mention.span.of(novel.book.text)))
        if mention.character is not None and gold is not None:
            evidence.add(mention.character, gold, named=True)
    for quote, speaker in zip(novel.quotes, speakers, strict=True):
        if speaker is not None and quote.speaker in novel.cast:
            evidence.add(speaker, quote.speaker)
    for ours, meant in _inside(novel, mentions_of(annotations)):
        evidence.add(ours, meant)
    return evidence


def _inside(novel: PdncNovel, found: Mapping[Span, Mention]) -> Iterator[tuple[str, str]]:
    for quote in novel.quotes:
        for mention in quote.mentions:
            ours = found.get(mention.span)
            if ours is not None and ours.character is not None and len(mention.characters) == 1:
                yield ours.character, mention.characters[0]


def _most(counts: Counter[str], *, among: Counter[str]) -> str:
    return min(among, key=lambda name: (-counts[name], name))


def _partners(counts: Mapping[str, Counter[str]]) -> dict[str, str]:
    ours = sorted(counts)
    golds = sorted({gold for count in counts.values() for gold in count})
    weights = np.array([[counts[o][g] for g in golds] for o in ours]).reshape(len(ours), len(golds))
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return {ours[r]: golds[c] for r, c in zip(rows, columns, strict=True) if weights[r, c]}
