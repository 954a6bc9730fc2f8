"""Vocatives inside speech, and speakers who introduce themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coref.language.tokens import Tokens
from coref.language.word_lists import table
from coref.names.person_candidates import MentionCandidate
from coref.names.person_cues import is_vocative
from coref.types import MentionKind


class TokenRange(NamedTuple):
    """Tokens `first` to `end`."""

    first: int
    end: int


_I_AM = (("i", "am"), ("i", "'m"))
_MY_NAME = (("my", "name", "is"), ("my", "name", "'s"))
_OWNER = frozenset(("'s", "’s"))


def called_in(tokens: Tokens, spots: Sequence[MentionCandidate]) -> Mapping[int, list[int]]:
    """Return the people named in vocatives of each quotation."""
    found: dict[int, list[int]] = {}
    for spot in spots:
        named = spot.kind is MentionKind.PROPER and spot.quote >= 0 and spot.who is not None
        if named and not tokens.inner[spot.first] and spot.who is not None and is_vocative(tokens, spot):
            found.setdefault(spot.quote, []).append(spot.who)
    return found


def introduced_in(tokens: Tokens, spots: Sequence[MentionCandidate]) -> Mapping[int, int]:
    """Return quotations whose speakers introduce themselves."""
    found: dict[int, int] = {}
    for spot in spots:
        if spot.kind is MentionKind.PROPER and spot.who is not None and introduces(tokens, spot):
            found.setdefault(spot.quote, spot.who)
    return found


def introduces(tokens: Tokens, spot: MentionCandidate) -> bool:
    """Return whether a name in a quotation is its speaker's: `I’m Kitty Lomax`, `my name is Tom`."""
    if spot.quote < 0 or spot.first < 3:
        return False
    before = tuple(w.replace("’", "'") for w in tokens.lower[spot.first - 3 : spot.first])
    says = before[1:] in _I_AM or before in _MY_NAME
    inside = tokens.quote[spot.first - 2] == spot.quote and not tokens.inner[spot.first]
    return says and inside and not _OWNER.intersection(tokens.lower[spot.end : spot.end + 1])


def addressed_in(tokens: Tokens) -> Mapping[int, str]:
    """Return the gender of the addressee for quotations with `sir`, `madam` or the like."""
    polite = table("polite_calls")
    found: dict[int, str] = {}
    for i, word in enumerate(tokens.lower):
        spoken = tokens.quote[i] >= 0 and not tokens.inner[i]
        if word in polite and spoken and is_vocative(tokens, TokenRange(i, i + 1)):
            found.setdefault(tokens.quote[i], polite[word])
    return found
