"""How unsure it is whom a pronoun or a noun means, by the names that stand before it."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from coref.traits.word_owners import SpokenStretches
from coref.types import Mention, MentionKind
from generation.story.cast import CastIndex

_LOOK_BACK, _REACH = 60, 700
"""Mentions, and characters, before a pronoun among which the name is looked for that it stands for."""
_FIRST = frozenset(("i", "me", "my", "mine", "myself"))
_RIVAL = 0.25
"""What each name between that the pronoun agrees with adds."""
_MOST, _NAMELESS = 0.5, 0.7
"""The most doubt with the name near, and the doubt without."""


class MentionCertainty:
    """Of one book."""

    def __init__(self, cast: CastIndex) -> None:
        self._cast = cast

    def of(self, mention: Mention) -> float:
        """0 for whoever is surely meant; more where the last name that a pronoun agrees with is another's."""
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
