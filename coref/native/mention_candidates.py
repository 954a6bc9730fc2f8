"""The mentions that the network finds, as candidates for the rules: names, nominals and pronouns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.tokens import POSSESSIVE, Tokens
from coref.language.word_lists import words
from coref.names.name_uses import NameUse
from coref.names.person_candidates import PRONOUNS, MentionCandidate, is_subject, noun_gender
from coref.native.book_pass import FoundMentions
from coref.native.book_words import BookWords
from coref.types import EntityCategory, MentionKind

_NOWHERE = Span(0, 0)
_SETS_OFF = frozenset(",;:—?!") | {"--"}
_OF_NAMES = _SETS_OFF | {"who", "whom", "whose", "which", "that", "and", "with", "or"}
"""What ends a name. `Queen of Hearts` is one."""
_SPEAKS_OF_ONE = frozenset(("he", "she"))


@dataclass(slots=True, eq=False)
class NetworkMention(MentionCandidate):
    """A candidate with the network's output. It ends with its head: `the man` in `the man who came`."""

    at: int = -1
    """Its number among the mentions found."""
    span: Span = _NOWHERE
    category: EntityCategory = EntityCategory.PERSON
    several: bool = False
    """Whether it joins people who are mentioned inside it: `Tom and his sister`."""


def sight(found: FoundMentions, book: BookWords, tokens: Tokens) -> list[NetworkMention]:
    """Return one candidate for each mention found, in the same order."""
    every = [_sighting(found, book, tokens, at) for at in range(len(found))]
    _own(every, tokens)
    return every


def _sighting(found: FoundMentions, book: BookWords, tokens: Tokens, at: int) -> NetworkMention:
    begin, stop = found.spans[at]
    span = Span(book.starts[begin], book.ends[stop - 1])
    first = max(0, bisect_left(tokens.ends, span.start + 1))
    end = max(first + 1, bisect_left(tokens.starts, span.end))
    first = min(first, len(tokens) - 1)
    end = min(end, len(tokens))
    low = tokens.lower[first]
    kind = found.kinds[at]
    alone = stop - begin == 1
    if alone and low in PRONOUNS:
        kind = MentionKind.PRONOUN
    head = (
        first if kind is MentionKind.PRONOUN else _head(tokens, first, end, named=kind is MentionKind.PROPER)
    )
    if tokens.words[end - 1] in POSSESSIVE and end - 1 > first:
        span = Span(span.start, tokens.ends[end - 2])  # `he ran to Tom's`
    if tokens.quote[end - 1] != tokens.quote[first]:
        span = Span(span.start, tokens.ends[head])  # nobody says `Tom!” said Bess`
    sighting = NetworkMention(
        first=first,
        end=head + 1,
        kind=kind,
        quote=tokens.quote[first],
        head=PRONOUNS.get(low, low) if kind is MentionKind.PRONOUN else tokens.lower[head],
        subject=is_subject(tokens, head + 1),
        definite=low == "the",
        at=at,
        span=span,
        category=found.categories[at],
        several="and" in tokens.lower[head + 1 : min(end, head + 4)],
    )
    if kind is MentionKind.PRONOUN:
        sighting.subject = low in ("he", "she", "i", "they", "we")
        sighting.gender = sighting.head if sighting.head in _SPEAKS_OF_ONE else None
    elif kind is MentionKind.NOMINAL:
        gender = noun_gender(sighting.head)
        sighting.gender = gender if gender in _SPEAKS_OF_ONE else None
    return sighting


def _head(tokens: Tokens, first: int, end: int, *, named: bool) -> int:
    """Return the last word before what only qualifies it: `man` in `the old man of the sea`."""
    stops = _OF_NAMES if named else _SETS_OFF | words("after_heads")
    last = first
    for i in range(first, end):
        word = tokens.lower[i]
        if i > first and word in stops:
            break
        if word[0].isalnum():
            last = i
    return last


def _own(every: Sequence[NetworkMention], tokens: Tokens) -> None:
    """Set the owners of `her brother` and `Tom's brother`: the mention with which they begin."""
    for at, outer in enumerate(every):
        if outer.kind is not MentionKind.NOMINAL or outer.end - outer.first < 2:
            continue
        for inner in every[at + 1 : at + 4]:
            if inner.span.start != outer.span.start:
                break
            after = tokens.lower[inner.end] if inner.end < len(tokens) else ""
            if inner.kind is MentionKind.PRONOUN or after in POSSESSIVE:
                outer.owner = inner


def give_uses(every: Sequence[NetworkMention], uses: Sequence[NameUse]) -> list[NetworkMention | None]:
    """Return for each use of a name the mention whose head it is. Every mention has at most one use.

    A name inside a larger mention is the head of that one only if no smaller mention has it.
    """
    starts = [use.first for use in uses]
    exact = {(use.first, use.end): at for at, use in enumerate(uses)}
    holders: list[NetworkMention | None] = [None] * len(uses)
    able = [s for s in every if s.kind is not MentionKind.PRONOUN and not s.several]
    for sighting in able:
        at = exact.get((sighting.first, sighting.end))
        if at is not None and holders[at] is None:
            _give(sighting, at, uses, holders)
    able = [s for s in able if s.use is None]
    for sighting in sorted(able, key=lambda s: (s.kind is MentionKind.NOMINAL, s.end - s.first, s.first)):
        for at in _inside(starts, uses, sighting):
            if holders[at] is None and (sighting.kind is MentionKind.PROPER or _heads(sighting, uses[at])):
                _give(sighting, at, uses, holders)
                break
    return holders


def _give(
    sighting: NetworkMention, at: int, uses: Sequence[NameUse], holders: list[NetworkMention | None]
) -> None:
    holders[at] = sighting
    sighting.use = uses[at]


def is_part_of_name(sighting: NetworkMention, holders_at: Mapping[int, NetworkMention]) -> bool:
    """Return whether it is a piece of a name that is a mention as a whole: `Blanche` in `Mlle. Blanche`."""
    if sighting.use is not None or sighting.kind is not MentionKind.PROPER:
        return False
    return any(
        (whole := holders_at.get(i)) is not None and whole is not sighting and _within(sighting, whole.use)
        for i in range(sighting.first, sighting.end)
    )


def _within(sighting: NetworkMention, use: NameUse | None) -> bool:
    return use is not None and use.first <= sighting.first and sighting.end <= use.end


def _heads(sighting: NetworkMention, use: NameUse) -> bool:
    """Return whether a noun phrase is a name with an article: `the Hatter`."""
    return sighting.end == use.end and sighting.first >= use.first - 1


def _inside(starts: Sequence[int], uses: Sequence[NameUse], sighting: NetworkMention) -> Iterator[int]:
    at = max(0, bisect_left(starts, sighting.first) - 1)
    while at < len(uses) and starts[at] < sighting.end:
        if uses[at].end > sighting.first and uses[at].end <= sighting.end:
            yield at
        at += 1
