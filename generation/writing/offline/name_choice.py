"""Choose how people are named: full names, short names and pronouns, and who may be confused with whom."""

from __future__ import annotations

from functools import cached_property

from coref.types import Alias, Character, CharacterKind
from generation.story.cast import CastIndex
from generation.writing.offline import forms
from generation.writing.offline.clause_parts import GrammaticalCase

_TITLED = (
    "Lady",
    "Sir",
    "Miss",
    "Mrs.",
    "Mrs",
    "Lord",
    "Mr.",
    "Mr",
    "Dr.",
    "Dr",
    "Captain",
    "Madame",
    "Aunt",
    "Uncle",
)
_OFTEN = 0.25
"""Share of the uses of somebody's most frequent name from which a shorter one may be used."""


class NameChoice:
    """Names and pronouns for one book's cast."""

    def __init__(self, cast: CastIndex) -> None:
        self._people = cast.by_id
        self._short: dict[str, str] = {}

    def name(self, who: str) -> str:
        return self._people[who].name

    def short(self, who: str) -> str:
        if who not in self._short:
            self._short[who] = self._shorter(self._people[who])
        return self._short[who]

    def many(self, who: str) -> bool:
        """Whether it is a group, which takes a plural."""
        return self._people[who].kind is CharacterKind.GROUP

    def pronoun(self, who: str, case: GrammaticalCase) -> str | None:
        return forms.pronoun("they/them" if self.many(who) else self._people[who].pronouns, case)

    def alike(self, one: str, other: str) -> bool:
        """Whether a pronoun could refer to either."""
        mine, theirs = (
            self.pronoun(one, GrammaticalCase.SUBJECT),
            self.pronoun(other, GrammaticalCase.SUBJECT),
        )
        return mine is None or theirs is None or mine == theirs

    def _shorter(self, character: Character) -> str:
        """Return a part of the name that the book uses and that nobody else has. A name with a title stays
        whole.
        """
        first = character.name.split()[0]
        if first in _TITLED or " " not in character.name:
            return character.name
        most = max((a.count for a in character.aliases), default=0)
        fit = [a for a in character.aliases if self._fits(a, character) and a.count >= _OFTEN * most]
        best = max(fit, key=lambda a: (a.text == first, a.count), default=None)
        return best.text if best else character.name

    def _fits(self, alias: Alias, character: Character) -> bool:
        within = " " not in alias.text and alias.text in character.name.split()
        return within and alias.text[:1].isupper() and self._uses[alias.text] == 1

    @cached_property
    def _uses(self) -> dict[str, int]:
        """Number of people who have each name."""
        uses: dict[str, int] = {}
        for character in self._people.values():
            for text in {character.name, *(a.text for a in character.aliases)}:
                uses[text] = uses.get(text, 0) + 1
        return uses


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") and name.split()[-1][0].islower() else f"{name}’s"
