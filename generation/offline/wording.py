"""Putting a person's clauses back into English: coded people become names and pronouns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coref.types import Character
from generation.offline import slots
from generation.offline.slots import Line, Slot

_PRONOUNS = {
    "she/her": ("she", "her", "her", "herself"),
    "he/him": ("he", "him", "his", "himself"),
    "it/its": ("it", "it", "its", "itself"),
}
_FORM = {"subject": 0, "object": 1, "possessor": 2, "reflexive": 3}
_SPACE_BEFORE = re.compile(r"\s+([,.;])")


class Wording:
    """How one person is spoken of."""

    def __init__(self, character: Character, people: dict[str, Character]) -> None:
        self.name = character.name
        self.short = short_name(character, people)
        nickname = self.short.split()[0] not in character.name.split()
        self.opening = f"{self.name}, called {self.short}," if nickname else self.name
        self._people = people
        self._pronouns = character.pronouns
        forms = _PRONOUNS.get(character.pronouns or "")
        self.has_pronoun = forms is not None
        self.subject, self.object, self.possessor, self.reflexive = forms or (
            self.short, "them", "their", "themselves",
        )  # fmt: skip

    @property
    def owned(self) -> str:
        """ "Darcy’s" """
        return possessive(self.short)

    def say(self, coded: str, line: Line) -> str:
        """A coded predicate as English; who was named in it already becomes a pronoun when that is clear."""
        said: set[str] = set()
        out: list[str] = []
        for code in coded:
            if not _is_slot(code):
                out.append(code)
                continue
            slot = line.slot(code)
            again = slot.character in said
            out.append(self._mine(slot) if slot.target else self._theirs(slot, again=again))
            said.add(slot.character)
        return _SPACE_BEFORE.sub(r"\1", "".join(out)).replace(slots.POINT, ".").strip()

    def name_of(self, who: str) -> str:
        return self._people[who].name

    def short_of(self, who: str) -> str:
        return short_name(self._people[who], self._people)

    def confusable(self, who: str) -> bool:
        """Whether a pronoun after the mention of somebody else might mean them."""
        theirs = self._people[who].pronouns
        return theirs is None or theirs == self._pronouns

    def _theirs(self, slot: Slot, *, again: bool) -> str:
        other = self._people[slot.character]
        if not len(slot.span):
            return "" if again else f" {other.name}"
        forms = _PRONOUNS.get(other.pronouns or "")
        if again and forms and not self.confusable(other.id) and slot.part in _FORM:
            return forms[_FORM[slot.part]]
        return possessive(other.name) if slot.part == "possessor" else other.name

    def _mine(self, slot: Slot) -> str:
        if not len(slot.span):
            return ""
        forms = (self.subject, self.object, self.possessor, self.reflexive)
        return forms[_FORM[slot.part]] if slot.part in _FORM else self.short


def short_name(character: Character, people: dict[str, Character]) -> str:
    """A shorter alias that is nobody else's and that the book uses much; else the name."""
    taken = {a.text for c in people.values() if c.id != character.id for a in c.aliases}
    taken |= {c.name for c in people.values() if c.id != character.id}
    most = max((a.count for a in character.aliases), default=0)
    titled = character.name.split()[0] in ("Lady", "Sir", "Miss", "Mrs.", "Mrs", "Lord")
    for alias in character.aliases:
        fits = len(alias.text) < len(character.name) and alias.text[:1].isupper() and not titled
        part = alias.text.split()[0] in character.name.split() and alias.count >= 0.3 * most
        nickname = alias.count == most > 2 and " " not in alias.text
        if fits and (part or nickname) and alias.text not in taken:
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
