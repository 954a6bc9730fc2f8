"""Other evidence for marriages: `Mr. and Mrs. Hale`, and a wedding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coref.language.word_lists import same
from coref.types import Character, Tense, Trait, TraitKind
from generation.story.indexed_book import IndexedBook
from generation.story.ties.kin_mentions import KinshipMention
from generation.story.ties.relation_words import relations

_COUPLE = re.compile(
    r"\b(?P<he>(?:Mr|Dr|Captain|Colonel|Major|Squire)\.?|(?:Sir|Lord)(?: [A-Z]\w+)?) and (?P<she>Mrs\.?|Lady)"
    r"(?P<name>(?: [A-Z][\w’'-]+){1,2})"
)
COUPLE, WEDDING = 3.0, 1.5
_WED = frozenset(("marry", "wed"))


def hints(reading: IndexedBook) -> Iterator[KinshipMention]:
    yield from _couples(reading)
    yield from _weddings(reading)


def _couples(reading: IndexedBook) -> Iterator[KinshipMention]:
    """Match "Mr. and Mrs. Hale", "Sir William and Lady Lucas"."""
    owners: dict[str, list[Character]] = {}
    for character in reading.annotations.characters:
        for alias in character.aliases:
            owners.setdefault(same(alias.text), []).append(character)
    for match in _COUPLE.finditer(reading.book.text):
        surname = " ".join(match["name"].split())
        he = _only(owners, f"{match['he']} {surname}", match["he"])
        she = _only(owners, f"{match['she']} {surname}")
        if he is not None and she is not None and he.id != she.id and he.pronouns != "she/her":
            quoted = reading.quote_at(match.start()) is not None
            yield KinshipMention(
                relations()["spouse"], she.id, he.id, COUPLE, match.start(), True, True, quoted
            )


def _only(owners: dict[str, list[Character]], *names: str) -> Character | None:
    """Return the only character with the first of these names that occurs."""
    for name in names:
        found = {c.id: c for c in owners.get(same(name), [])}
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _weddings(reading: IndexedBook) -> Iterator[KinshipMention]:
    for trait in reading.annotations.traits:
        if trait.lemma in _WED and trait.kind is TraitKind.DOES and _happened(trait):
            assert trait.other is not None
            at = trait.span.start
            yield KinshipMention(
                relations()["spouse"], trait.character, trait.other, WEDDING, at, True, False, trait.quoted
            )


def _happened(trait: Trait) -> bool:
    told = trait.other is not None and not trait.negated and trait.modal is None
    return told and trait.tense in (Tense.PAST, Tense.PRESENT)
