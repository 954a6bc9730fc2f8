"""Other evidence for family relations: `Mr. and Mrs. Hale`, a wedding, `Mamma,` as a form of address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coref.language.word_lists import same
from coref.types import Character, Trait, TraitKind
from generation.story.indexed_book import IndexedBook
from generation.story.ties.kin_mentions import KinshipMention
from generation.story.ties.relation_words import meant_by, relations

_COUPLE = re.compile(
    r"\b(?P<he>(?:Mr|Dr|Captain|Colonel|Major|Sir|Lord|Squire)\.?(?: [A-Z]\w+)??) and (?P<she>Mrs\.?|Lady)"
    r"(?P<name>(?: [A-Z][\w’'-]+){1,2})"
)
COUPLE, WEDDING, FACE = 3.0, 1.5, 0.8
_UNSURE = 0.5
"""Confidence in the speaker below which a form of address is no evidence."""
_FACES = frozenset(("mamma", "mama", "papa", "mother", "father", "uncle", "aunt"))
_WED = frozenset(("marry", "wed"))


def hints(reading: IndexedBook) -> Iterator[KinshipMention]:
    yield from _couples(reading)
    yield from _weddings(reading)
    yield from _calls(reading)


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
    return trait.other is not None and not trait.negated and trait.modal is None and trait.tense is not None


def _calls(reading: IndexedBook) -> Iterator[KinshipMention]:
    """Yield relations from forms of address: whoever a speaker calls `Mamma` is their mother, if the
    addressee is known.
    """
    for sentence, nouns in reading.sentences_with(_FACES):
        for n in nouns:
            quote = reading.quote_at(sentence.start(n))
            meant = meant_by(sentence.lemma(n))
            if quote is None or meant is None or sentence.relation(n) != "vocative":
                continue
            speaker, listener = quote.speaker, quote.addressee
            if speaker is None or listener is None or speaker == listener or quote.confidence < _UNSURE:
                continue
            own = sentence.kids(n, "nmod:poss")
            known = {speaker, listener} <= reading.people.keys()
            if (
                known
                and _fits(reading.people[listener], meant[1])
                and all(sentence.word(k) == "my" for k in own)
            ):
                weight = FACE * quote.confidence
                yield KinshipMention(
                    meant[0], listener, speaker, weight, sentence.start(n), False, False, True
                )


def _fits(who: Character, gender: str | None) -> bool:
    return gender is None or who.pronouns in (None, gender)
