"""A cast that is known before the book is read: each occurrence of one of its names is that character."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from coref.language.tokens import Tokens
from coref.language.word_lists import words
from coref.names.casing import title_case, title_of
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence
from coref.names.titles import gender_of_name
from coref.protocols import KnownCharacter
from coref.types import CharacterKind

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_REMARK = re.compile(r"\s+(?:[-–—]\s.*|\(.*\))$")
"""A remark that tells namesakes apart in a list but never occurs in a text: `Tom (the younger)`."""
_WHOLE = 20
"""Weight of a name of several words, relative to a single word, which others may bear too."""
ARTICLES = frozenset(("the", "a", "an"))


@dataclass(slots=True)
class GivenCast:
    cast: Cast
    uses: list[NameUse]
    evidence: dict[ProperName, NameEvidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Alias:
    words: tuple[str, ...]
    people: tuple[CastMember, ...]


def find_given(tokens: Tokens, known: Sequence[KnownCharacter]) -> GivenCast:
    """Find the known characters' names in the book. People are numbered in the order given."""
    cast = Cast([CastMember(number) for number in range(len(known))])
    aliases = _aliases(known, cast.people)
    found = GivenCast(cast, list(_uses(tokens, aliases, cast)))
    for use in found.uses:
        for person in cast.options[use.first][:1]:
            person.names[use.name] += 1
        evidence = found.evidence.setdefault(use.name, NameEvidence())
        evidence.count += 1
    for person, character in zip(cast.people, known, strict=True):
        _tell_apart(person, character)
    return found


def learn(given: GivenCast, own: Cast, uses: Sequence[NameUse]) -> None:
    """Learn further names of the known characters from `own`, the cast that the book shows by itself.

    `uses` are the uses of names behind that cast. A person in it who mostly bears names of a known character
    is that character, under all names.
    """
    who = _who_is_who(given, own)
    taken = {i for use in given.uses for i in range(use.first, use.end)}
    for use in given.uses:
        others = own.options.get(use.first, ())
        meant = who.get(others[0].number) if others else None
        options = given.cast.options[use.first]
        if meant is not None and meant not in options and all(_is_only(p, meant, who, own) for p in options):
            given.cast.options[use.first] = [meant]
    for use in uses:
        options = own.options.get(use.first, [])
        meant = who.get(options[0].number) if options else None
        if meant is not None and taken.isdisjoint(range(use.first, use.end)):
            given.cast.options[use.first] = [meant]
            meant.names[use.name] += 1
            given.uses.append(use)
            given.evidence.setdefault(use.name, NameEvidence()).count += 1
    given.uses.sort(key=lambda use: use.first)


def _who_is_who(given: GivenCast, own: Cast) -> dict[int, CastMember]:
    """Map people of the book's own cast, by number, to the known character who has most of their names."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for use in given.uses:
        options, others = given.cast.options[use.first], own.options.get(use.first, ())
        if others and len(options) == 1:
            votes[others[0].number][options[0].number] += 1 if len(use.name.core) == 1 else _WHOLE
    people = given.cast.people
    return {number: people[count.most_common(1)[0][0]] for number, count in votes.items()}


def _is_only(person: CastMember, meant: CastMember, who: Mapping[int, CastMember], own: Cast) -> bool:
    """Return whether all names of a known character are another's too: a list may contain one man twice."""
    theirs = {name for number, known in who.items() if known is meant for name in own.people[number].names}
    return person.kind is meant.kind and bool(person.names) and set(person.names) <= theirs


def _aliases(known: Sequence[KnownCharacter], people: Sequence[CastMember]) -> dict[str, list[_Alias]]:
    """Return the aliases keyed by their first words, the longest first."""
    owners: dict[tuple[str, ...], list[CastMember]] = defaultdict(list)
    for person, character in zip(people, known, strict=True):
        for text in dict.fromkeys((character.name, *character.aliases)):
            said = tuple(_WORD.findall(_REMARK.sub("", text)))
            if said and person not in owners[said]:
                owners[said].append(person)
    found: dict[str, list[_Alias]] = defaultdict(list)
    for said, theirs in owners.items():
        found[said[0].casefold()].append(_Alias(said, tuple(theirs)))
    for same_start in found.values():
        same_start.sort(key=lambda alias: (-len(alias.words), alias.words))
    return found


def _uses(tokens: Tokens, aliases: dict[str, list[_Alias]], cast: Cast) -> Iterator[NameUse]:
    for first, end in tokens.ranges:
        at = first
        while at < end:
            options = aliases.get(tokens.lower[at], ())
            alias = next((a for a in options if _occurs(tokens, a, at, end)), None)
            if alias is None:
                at += 1
                continue
            cast.options[at] = list(alias.people)
            yield NameUse(at, at + len(alias.words), _name(alias.words))
            at += len(alias.words)


def _occurs(tokens: Tokens, alias: _Alias, at: int, end: int) -> bool:
    """Return whether an alias occurs at a token with its capitals. An article may open a sentence or not."""
    if at + len(alias.words) > end:
        return False
    return all(
        said == word or (said.casefold() == word.casefold() and (word.isupper() or _is_article(word)))
        for said, word in zip(alias.words, tokens.words[at : at + len(alias.words)], strict=True)
    )


def _is_article(word: str) -> bool:
    return word.casefold() in ARTICLES


def _name(said: Sequence[str]) -> ProperName:
    spelt = [word for word in said if word[0].isalnum() and not _is_article(word)]
    titles = []
    while len(spelt) > 1 and (title := title_of(spelt[0])) is not None:
        titles.append(title)
        spelt = spelt[1:]
    return ProperName(tuple(titles), tuple(title_case(word) for word in spelt) or tuple(said))


def _tell_apart(person: CastMember, character: KnownCharacter) -> None:
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
