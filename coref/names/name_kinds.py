"""Which names are those of people, as most of the places where they are used say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from coref.language.word_lists import words
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence, has_article, people_among
from coref.types import EntityCategory, MentionKind

_AS_COMMON_NOUN = 0.5
"""What `the Rajah` counts where it is read as a noun with a capital, beside a name."""
_LEAST, _LEAST_ALONE = 0.34, 0.12
"""Share of a name's uses that must be read as a person's; and as a name, not as a noun."""
_ACTS = 0.5
"""What speaks for a person, by use of the name, where it seldom reads as one: animals and cards that talk."""
_ACTS_AT_LEAST, _OFTEN, _HARDLY_A_THING = 0.12, 4, 8
"""It takes less where a name is used often and next to no use reads as a thing: a pirate called Hands."""

_PLACED, _PLACED_BY_ACTS = 0.3, 2.0
"""Share of a name's uses, and times its deeds, from which on `at` and `from` before it make it a place."""


@dataclass(frozen=True, slots=True)
class NameUseReading:
    """What one use of a name was read as."""

    category: EntityCategory
    kind: MentionKind
    added: bool = False
    """It was not found, only known, and its category is a guess."""


@dataclass(slots=True)
class NameJudgement:
    names: set[ProperName] = field(default_factory=set)
    """Those of people, groups and animals."""
    elsewhere: set[int] = field(default_factory=set)
    """Uses, by their first tokens, that mean a place or thing of the same name."""


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
    """Or an inn: called `the Admiral Benbow`, and doing next to nothing."""
    never_with_the = bool(name.titles) and name.titles[0] in words("titles_without_the")
    return never_with_the and has_article(evidence) and evidence.person < _ACTS * evidence.count


def _is_somebodys(votes: Counter[str], evidence: NameEvidence, *, likely: bool, titled: bool) -> bool:
    """`likely`: the rules think so too. Then a noun with a capital is a name, as the Hatter's is."""
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
