"""Find the characters named in a generated text by the names that the book uses, longest first."""

from __future__ import annotations

import re
from functools import cached_property

from books.types import Span
from coref.types import Character
from generation.types import NamedSpan

_SUBJECTS = {"he": "he/him", "she": "she/her", "they": "they/them", "it": "it/its"}
_OBJECTS = {"him": "he/him", "her": "she/her", "them": "they/them"}
_POSSESSORS = {"his": "he/him", "her": "she/her", "their": "they/them", "its": "it/its"}
_SURNAME = re.compile(r" (?P<name>[A-Z][\w-]+)")
PRONOUN = re.compile(r"\b(he|she|they|him|her|them|his|their)\b", re.IGNORECASE)


class Names:
    """The names of a cast. A name that two characters share means the one with more mentions."""

    def __init__(self, characters: tuple[Character, ...]) -> None:
        self._characters = characters

    @cached_property
    def owners(self) -> dict[str, Character]:
        owners: dict[str, Character] = {}
        for character in self._characters:
            for text in (character.name, *(a.text for a in character.aliases)):
                if text[:1].isupper():
                    owners.setdefault(text, character)
        for character in self._characters:
            owners[character.name] = character
            owners[character.name[:1].upper() + character.name[1:]] = character
        return owners

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self.owners, key=lambda text: (-len(text), text))
        joined = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in longest)
        return (
            re.compile(rf"(?<![\w]){joined and f'(?:{joined})'}(?![\w])") if joined else re.compile(r"(?!)")
        )

    def find(self, text: str) -> tuple[NamedSpan, ...]:
        found: list[NamedSpan] = []
        for match in self._pattern.finditer(text):
            if not found or found[-1].span.end <= match.start():
                owner = self.owners[" ".join(match.group().split())]
                found.append(NamedSpan(Span(match.start(), self._end(text, match.end(), owner)), owner.id))
        return tuple(found)

    def _end(self, text: str, end: int, owner: Character) -> int:
        """Extend a name: "Bess Farrow" is one name even if the book only has "Bess" and "Miss Farrow"."""
        following = _SURNAME.match(text, end)
        known = {word for name in (owner.name, *(a.text for a in owner.aliases)) for word in name.split()}
        return following.end() if following and following["name"] in known else end


def agrees(pronoun: str, character: Character) -> bool:
    """Whether a pronoun may refer to a character. Any pronoun may refer to a character whose pronouns are
    unknown.
    """
    low = pronoun.lower().removesuffix("self")
    kinds = {_SUBJECTS.get(low), _OBJECTS.get(low), _POSSESSORS.get(low)} - {None}
    return character.pronouns is None or character.pronouns in kinds


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") and name.split()[-1][0].islower() else f"{name}’s"
