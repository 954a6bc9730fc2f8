"""Estimate how uncertain the referent of a pronoun or a noun is, by the names before it."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from coref.traits.word_owners import SpokenStretches
from coref.types import Mention, MentionKind
from generation.story.cast import CastIndex

_LOOK_BACK, _REACH = 60, 700
"""Mentions, and characters of text, before a pronoun that are searched for its antecedent."""
_FIRST = frozenset(("i", "me", "my", "mine", "myself"))
_RIVAL = 0.25
"""Uncertainty that each other name in between adds, if the pronoun agrees with it."""
_MOST, _NAMELESS = 0.5, 0.7
"""The most uncertainty with the name nearby, and the uncertainty without it."""


class MentionCertainty:
    """Uncertainty of the mentions of one book."""

    def __init__(self, cast: CastIndex) -> None:
        self._cast = cast

    def of(self, mention: Mention) -> float:
        """Return 0 for a certain referent, and more if the last names that the pronoun agrees with are
        someone else's.
        """
        word = self._cast.book.slice(mention.span).casefold()
        if mention.kind is MentionKind.PROPER or word in _FIRST:
            return 0.0
        mine = self._pronouns(str(mention.character))
        at = bisect_left(self._starts, mention.span.start)
        found = 0.0
        for before in reversed(self._cast.annotations.mentions[max(0, at - _LOOK_BACK) : at]):
            if mention.span.start - before.span.end > _REACH:
                break
            if (
                before.kind is not MentionKind.PROPER
                or before.character is None
                or self.speech.at(before.span.start)
            ):
                continue
            if before.character == mention.character:
                return min(found, _MOST)
            if self._pronouns(before.character) in (mine, None):
                found += _RIVAL
        return _NAMELESS

    @cached_property
    def speech(self) -> SpokenStretches:
        return SpokenStretches(self._cast.annotations.quotes)

    def _pronouns(self, character: str) -> str | None:
        found = self._cast.by_id.get(character)
        return found.pronouns if found else None

    @cached_property
    def _starts(self) -> list[int]:
        return [m.span.start for m in self._cast.annotations.mentions]
