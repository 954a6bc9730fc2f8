"""Putting a person's clauses back into English: coded people become names and pronouns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coref.types import Character
from generation.offline import slots
from generation.offline.slots import Line

_PRONOUNS = {
    "she/her": ("she", "her", "her", "herself"),
    "he/him": ("he", "him", "his", "himself"),
    "it/its": ("it", "it", "its", "itself"),
}
_SPACE_BEFORE = re.compile(r"\s+([,.;])")


class Wording:
    """How one person is spoken of."""

    def __init__(self, character: Character, people: dict[str, Character]) -> None:
        self.name = character.name
        self.short = short_name(character, people)
        self._people = people
        self._pronouns = character.pronouns
        forms = _PRONOUNS.get(character.pronouns or "")
        self.has_pronoun = forms is not None
        self.subject, self.object, self.possessor, self.reflexive = forms or (
            self.short, "them", "their", "themselves",
        )  # fmt: skip

    def say(self, coded: str, line: Line) -> str:
        """A coded predicate as English."""
        text = "".join(self._word(c, line) if _is_slot(c) else c for c in coded)
        return _SPACE_BEFORE.sub(r"\1", text).strip()

    def confusable(self, who: str) -> bool:
        """Whether a pronoun after the mention of somebody else might mean them."""
        theirs = self._people[who].pronouns
        return theirs is None or theirs == self._pronouns

    def _word(self, code: str, line: Line) -> str:
        slot = line.slot(code)
        if not len(slot.span):
            return "" if slot.target else f" {self._people[slot.character].name}"
        if not slot.target:
            name = self._people[slot.character].name
            return possessive(name) if slot.part == "possessor" else name
        if slot.part == "name":
            return self.short
        return {
            "subject": self.subject,
            "object": self.object,
            "possessor": self.possessor,
            "reflexive": self.reflexive,
        }[slot.part]


def short_name(character: Character, people: dict[str, Character]) -> str:
    """A shorter alias that is nobody else's and that the book uses much; else the name."""
    taken = {a.text for c in people.values() if c.id != character.id for a in c.aliases}
    taken |= {c.name for c in people.values() if c.id != character.id}
    most = max((a.count for a in character.aliases), default=0)
    titled = character.name.split()[0] in ("Lady", "Sir", "Miss", "Mrs.", "Mrs", "Lord")
    for alias in character.aliases:
        fits = len(alias.text) < len(character.name) and alias.text[:1].isupper() and not titled
        common = alias.count >= 0.3 * most
        if fits and common and alias.text not in taken and alias.text.split()[0] in character.name.split():
            return alias.text
    return character.name


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") and name.split()[-1][0].islower() else f"{name}’s"


def listed(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def article(phrase: str) -> str:
    return f"an {phrase}" if phrase[0] in "aeiou" else f"a {phrase}"


def _is_slot(code: str) -> bool:
    return slots.NAME[0] <= code <= slots.OTHER_REFLEXIVE[-1]
