"""Maps words to the characters that they refer to, and offsets to direct speech."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.syntax import Parse
from coref.types import Annotations, MentionKind, Quote

_NOMINAL = ("NOUN", "PROPN", "PRON")
_LONGEST = 64
"""How many words of a mention are searched for its head."""


@dataclass(frozen=True, slots=True)
class WordOwners:
    """Mentions by their head words, numbered as in the parse."""

    who: dict[int, str]
    """The character that a word refers to."""
    mentioned: frozenset[int]
    """Head words of all mentions, of characters and of others."""
    named_by_noun: frozenset[int]
    """Head words of nominals that refer to a character: "the widow"."""
    pronouns: Mapping[str, str | None]
    """Pronouns such as `she/her`, keyed by character."""


def people_of(parse: Parse, annotations: Annotations) -> WordOwners:
    """Map head words to mentions. The shortest of several with one head wins: "Anna", not "Anna and Tom"."""
    who: dict[int, str] = {}
    nouns: set[int] = set()
    mentioned: set[int] = set()
    for mention in sorted(annotations.mentions, key=lambda m: -len(m.span)):
        head = head_of(parse, mention.span)
        if head is None:
            continue
        mentioned.add(head)
        if mention.character is not None:
            who[head] = mention.character
            (nouns.add if mention.kind is MentionKind.NOMINAL else nouns.discard)(head)
    pronouns = {c.id: c.pronouns for c in annotations.characters}
    return WordOwners(who, frozenset(mentioned), frozenset(nouns), pronouns)


def head_of(parse: Parse, span: Span) -> int | None:
    """Return the head word of a span, whose own head lies outside."""
    first = bisect_right(parse.ends, span.start)
    end = min(bisect_left(parse.starts, span.end), first + _LONGEST)
    if first >= end:
        return None
    free = [i for i in range(first, end) if not first <= parse.heads[i] < end]
    nominal = (i for i in (*free, *range(first, end)) if parse.tags[i] in _NOMINAL)
    return next(nominal, free[0] if free else first)


class SpokenStretches:
    """The stretches of direct speech."""

    def __init__(self, quotes: Sequence[Quote]) -> None:
        self._spans = tuple(_apart(quotes))

    def at(self, offset: int) -> bool:
        before = bisect_right(self._spans, offset, key=lambda s: s.start) - 1
        return before >= 0 and offset < self._spans[before].end


def _apart(quotes: Sequence[Quote]) -> Iterator[Span]:
    """Yield quotes that overlap or nest as one stretch."""
    held: Span | None = None
    for span in sorted(q.span for q in quotes):
        if held is not None and span.start < held.end:
            held = Span(held.start, max(held.end, span.end))
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held
