"""Decides which names are names of people, by a majority of the places where they are used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from coref.language.word_lists import words
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence, has_article, people_among
from coref.types import EntityCategory, MentionKind

_AS_COMMON_NOUN = 0.5
"""Weight of `the Rajah` when it is read as a capitalised noun, relative to a name."""
_LEAST, _LEAST_ALONE = 0.34, 0.12
"""Minimum share of a name's uses that must be read as a person's, and as a name rather than a noun."""
_ACTS = 0.5
"""Evidence for a person per use of a name that seldom reads as one: animals and cards that talk."""
_ACTS_AT_LEAST, _OFTEN, _HARDLY_A_THING = 0.12, 4, 8
"""The bar is lower for a name that is used often and hardly ever reads as a thing: a pirate called Hands."""

_PLACED, _PLACED_BY_ACTS = 0.3, 2.0
"""Share of a name's uses, and multiple of its actions, above which `at` and `from` make it a place."""


@dataclass(frozen=True, slots=True)
class NameUseReading:
    """How one use of a name was read."""

    category: EntityCategory
    kind: MentionKind
    added: bool = False
    """Whether the mention was not found but only known, so that its category is a guess."""


@dataclass(slots=True)
class NameJudgement:
    names: set[ProperName] = field(default_factory=set)
    """Names of people, groups and animals."""
    elsewhere: set[int] = field(default_factory=set)
    """First tokens of the uses that refer to a place or thing of the same name."""


def judge(
    readings: Iterable[tuple[NameUse, NameUseReading | None]], evidence: dict[ProperName, NameEvidence]
) -> NameJudgement:
    likely = people_among(evidence)
    votes: dict[ProperName, Counter[str]] = defaultdict(Counter)
    judgement = NameJudgement()
    for use, reading in readings:
        votes[use.name][_vote(reading)] += 1
        if reading is not None and not reading.added and reading.category is not EntityCategory.PERSON:
            judgement.elsewhere.add(use.first)
    judgement.names = {
        name
        for name, count in votes.items()
        if not _is_a_people(name)
        and not _is_a_ship(name, evidence[name])
        and _is_somebodys(count, evidence[name], likely=name in likely, titled=bool(name.titles))
    }
    return judgement


def _vote(reading: NameUseReading | None) -> str:
    if reading is None:
        return "unread"
    if reading.added:
        return "like a person" if reading.category is EntityCategory.PERSON else "like a thing"
    if reading.category is not EntityCategory.PERSON:
        return "thing"
    return "person" if reading.kind is MentionKind.PROPER else "noun"


def _is_a_people(name: ProperName) -> bool:
    return not name.titles and len(name.core) == 1 and name.core[0] in words("peoples")


def _is_a_ship(name: ProperName, evidence: NameEvidence) -> bool:
    """Recognise a ship or an inn: it is called `the Admiral Benbow` and does hardly anything."""
    never_with_the = bool(name.titles) and name.titles[0] in words("titles_without_the")
    return never_with_the and has_article(evidence) and evidence.person < _ACTS * evidence.count


def _is_somebodys(votes: Counter[str], evidence: NameEvidence, *, likely: bool, titled: bool) -> bool:
    """Return whether a name is somebody's.

    `likely` means that the rules think so too. Then a capitalised noun counts as a name, such as the
    Hatter's.
    """
    people = votes["person"] + votes["noun"]
    if likely and _acts(people + votes["like a person"], votes["thing"] + votes["like a thing"], evidence):
        return True
    if not people or people <= votes["thing"]:
        return False
    if likely and (titled or people >= _LEAST * evidence.count):
        return True
    if not likely and evidence.place > max(_PLACED * evidence.count, _PLACED_BY_ACTS * evidence.person):
        return False
    named = votes["person"] + _AS_COMMON_NOUN * votes["noun"]
    return named >= _LEAST * evidence.count and votes["person"] >= _LEAST_ALONE * evidence.count


def _acts(people: int, things: int, evidence: NameEvidence) -> bool:
    if people < 2 * things:
        return False
    if people >= max(_OFTEN, _HARDLY_A_THING * things) and not has_article(evidence):
        return evidence.person >= max(1, _ACTS_AT_LEAST * evidence.count)
    return evidence.person >= _ACTS * evidence.count
