"""Find the content words of a claim as stems, without the names of people."""

from __future__ import annotations

import re

from books.types import Span
from generation.checking.judges.propositions import number
from generation.lexicon import words
from generation.types import Claim
from generation.verbs import stem

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_CHAPTER = re.compile(r"(?:,? )?\bin chapter (?P<chapter>\d+)\b", re.IGNORECASE)
LONGEST = 2_000
"""Maximum number of characters of a claim that are read. A longer one is not a single proposition."""


def content_words(claim: Claim) -> tuple[str, ...]:
    text = claim.text[:LONGEST]
    names = [n.span for n in claim.people]
    found: dict[str, None] = {}
    for match in _WORD.finditer(_CHAPTER.sub(lambda m: " " * len(m.group()), text)):
        word = match.group()
        low = word.casefold().replace("’", "'").removesuffix("'s")
        named = word[:1].isupper() and any(s.covers(Span(*match.span())) for s in names)
        empty = len(low) < 2 or low in words("stop_words") or low in words("negations")
        if not named and not empty and not low.endswith("n't"):
            found[stem(number(low))] = None
    return tuple(found)


def denies(claim: Claim) -> bool:
    """Whether a claim contains a negation."""
    low = (m.group().casefold().replace("’", "'") for m in _WORD.finditer(claim.text[:LONGEST]))
    return any(word in words("negations") or word.endswith("n't") for word in low)


def chapter_of(claim: Claim) -> int | None:
    """Return the chapter that a claim mentions, counted from 0."""
    match = _CHAPTER.search(claim.text)
    return int(match["chapter"]) - 1 if match else None


def strangers(claim: Claim) -> frozenset[str]:
    """Return the stems of capitalised words outside known names.

    These may be a place, or a person of another book.
    """
    names = [n.span for n in claim.people]
    text = claim.text[:LONGEST]
    opening = _WORD.search(text)
    found = set()
    for match in _WORD.finditer(text):
        span = Span(*match.span())
        capital = match.group()[:1].isupper() and (opening is None or match.start() > opening.start())
        low = match.group().casefold().replace("’", "'").removesuffix("'s")
        if capital and not any(s.covers(span) for s in names) and low not in words("stop_words"):
            found.add(stem(low))
    return frozenset(found)
