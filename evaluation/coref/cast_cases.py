"""Measures a cast by cases: names that are one person's or not, and names that are anybody's or not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coref.language.word_lists import same
from coref.types import Character
from evaluation.coref.tallies import Sums
from evaluation.corpus.casts import CastCase, NovelCast


@dataclass(frozen=True, slots=True)
class CaseScore(Sums):
    cases: int = 0
    right: int = 0
    joined: int = 0
    """Two people who have one character, and names of nobody that have one."""
    parted: int = 0
    """One person who has two characters."""
    unlisted: int = 0
    """One person, or two, of whose names the cast lacks at least one."""


def score_cases(cases: Iterable[CastCase], characters: Iterable[Character]) -> Mapping[str, CaseScore]:
    """Return the scores by kind of case."""
    owners = owners_of(characters)
    found: dict[str, CaseScore] = defaultdict(CaseScore)
    for case in cases:
        found[case.kind] += _outcome(case, owners)
    return found


def _outcome(case: CastCase, owners: Mapping[str, str]) -> CaseScore:
    one = owners.get(compared(case.one))
    if case.other is None:
        right, wrong = (one is not None) == case.answer, "unlisted" if case.answer else "joined"
    else:
        other = owners.get(compared(case.other))
        right = None not in (one, other) and (one == other) == case.answer
        wrong = "unlisted" if None in (one, other) else "parted" if case.answer else "joined"
    return CaseScore(cases=1, **{"right" if right else wrong: 1})


def owners_of(characters: Iterable[Character]) -> Mapping[str, str]:
    """Return the character who is most often called by each name."""
    owners: dict[str, tuple[int, str]] = {}
    for character in characters:
        for alias in character.aliases:
            key = compared(alias.text)
            owners[key] = max(owners.get(key, (0, "")), (alias.count, character.id))
    return {name: owner for name, (_, owner) in owners.items()}


def bearers(cast: NovelCast) -> Mapping[str, tuple[str, ...]]:
    """Return the people whom the novel calls by each name, in the form by which names are compared."""
    return {compared(name): people for name, people in cast.names.items()}


def compared(name: str) -> str:
    """Return the form by which names are compared: an article before them does not count."""
    return same(name).replace(".", "").removeprefix("the ")
