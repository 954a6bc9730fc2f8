"""A cast that is known before the book is read: every place where one of its names stands is theirs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from coref.names import gender_of_name
from coref.protocols import KnownCharacter
from coref.rules.casing import title_case, title_of
from coref.rules.cast import Cast
from coref.rules.cues import Evidence
from coref.rules.people import Person
from coref.rules.tokens import Tokens
from coref.rules.uses import Name, Use
from coref.types import CharacterKind
from coref.words import words

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_ARTICLES = frozenset(("the", "a", "an"))


@dataclass(slots=True)
class GivenCast:
    cast: Cast
    uses: list[Use]
    evidence: dict[Name, Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Alias:
    words: tuple[str, ...]
    people: tuple[Person, ...]


def find_given(tokens: Tokens, known: Sequence[KnownCharacter]) -> GivenCast:
    """People are numbered as they are given."""
    cast = Cast([Person(number) for number in range(len(known))])
    aliases = _aliases(known, cast.people)
    found = GivenCast(cast, list(_uses(tokens, aliases, cast)))
    for use in found.uses:
        for person in cast.options[use.first][:1]:
            person.names[use.name] += 1
        evidence = found.evidence.setdefault(use.name, Evidence())
        evidence.count += 1
    for person, character in zip(cast.people, known, strict=True):
        _tell_apart(person, character)
    return found


def _aliases(known: Sequence[KnownCharacter], people: Sequence[Person]) -> dict[str, list[_Alias]]:
    """By their first words; the longest first."""
    owners: dict[tuple[str, ...], list[Person]] = defaultdict(list)
    for person, character in zip(people, known, strict=True):
        for text in dict.fromkeys((character.name, *character.aliases)):
            said = tuple(_WORD.findall(text))
            if said and person not in owners[said]:
                owners[said].append(person)
    found: dict[str, list[_Alias]] = defaultdict(list)
    for said, theirs in owners.items():
        found[said[0].casefold()].append(_Alias(said, tuple(theirs)))
    for same_start in found.values():
        same_start.sort(key=lambda alias: (-len(alias.words), alias.words))
    return found


def _uses(tokens: Tokens, aliases: dict[str, list[_Alias]], cast: Cast) -> Iterator[Use]:
    for first, end in tokens.ranges:
        at = first
        while at < end:
            options = aliases.get(tokens.lower[at], ())
            alias = next((a for a in options if _stands(tokens, a, at, end)), None)
            if alias is None:
                at += 1
                continue
            cast.options[at] = list(alias.people)
            yield Use(at, at + len(alias.words), _name(alias.words))
            at += len(alias.words)


def _stands(tokens: Tokens, alias: _Alias, at: int, end: int) -> bool:
    """Whether an alias stands there, its capitals too; an article may open a sentence or not."""
    if at + len(alias.words) > end:
        return False
    return all(
        said == word or (said.casefold() == word.casefold() and (word.isupper() or _is_article(word)))
        for said, word in zip(alias.words, tokens.words[at : at + len(alias.words)], strict=True)
    )


def _is_article(word: str) -> bool:
    return word.casefold() in _ARTICLES


def _name(said: Sequence[str]) -> Name:
    spelt = [word for word in said if word[0].isalnum() and not _is_article(word)]
    titles = []
    while len(spelt) > 1 and (title := title_of(spelt[0])) is not None:
        titles.append(title)
        spelt = spelt[1:]
    return Name(tuple(titles), tuple(title_case(word) for word in spelt) or tuple(said))


def _tell_apart(person: Person, character: KnownCharacter) -> None:
    for text in (character.name, *character.aliases):
        name = _name(_WORD.findall(text) or [text])
        person.gender = person.gender or gender_of_name(text)
        if len(name.core) > 1:
            person.givens[name.core[0]] += 1
            person.surnames[name.core[-1]] += 1
        elif name.titles:
            person.surnames[name.core[-1]] += 1
    last = character.name.split()[-1].casefold() if character.name.split() else ""
    if last in words("group_nouns"):
        person.kind = CharacterKind.GROUP
