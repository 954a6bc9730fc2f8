"""Parse claims, all of them together, with the parser that is used for books."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.factuality import Moods
from coref.language.parsed_sentence import ParsedSentence
from coref.language.syntax import Parse
from coref.protocols import ParsesText
from coref.traits.word_owners import head_of
from generation.types import Claim

LONGEST = 120
"""Maximum number of words of a claim. A longer one is not a single proposition and is not parsed."""
_ROOM = 1_500
"""Maximum number of characters of a claim that are parsed."""


@dataclass(frozen=True, slots=True)
class ParsedClaim:
    """A claim as a sentence of the joint text of all claims, with the referents of its words."""

    words: ParsedSentence
    who: dict[int, str]
    moods: Moods


def parse(claims: Sequence[Claim], parser: ParsesText) -> list[ParsedClaim | None]:
    """Return each claim parsed, or None for a claim without words or with too many."""
    lines = [" ".join(claim.text[:_ROOM].splitlines()) for claim in claims]
    if not any(lines):
        return [None] * len(claims)
    text = "\n".join(lines)
    grammar = parser.parse_text(text)
    found: list[ParsedClaim | None] = []
    at = 0
    for claim, line in zip(claims, lines, strict=True):
        first, end = (bisect_left(grammar.starts, offset) for offset in (at, at + len(line)))
        found.append(_parsed(claim, at, text, grammar, first, end) if 0 < end - first <= LONGEST else None)
        at += len(line) + 1
    return found


def _parsed(claim: Claim, base: int, text: str, grammar: Parse, first: int, end: int) -> ParsedClaim:
    words = ParsedSentence(text, grammar, first, end)
    who: dict[int, str] = {}
    for named in claim.people:
        head = head_of(grammar, Span(base + named.span.start, base + named.span.end))
        if head is not None and words.holds(head):
            who[head] = named.character
    return ParsedClaim(words, who, Moods(words, lambda _: False))
