"""What a character's names say about their family: a surname, and whether they are a wife or a widow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from coref.language.word_lists import table, words
from coref.names.titles import gender_of_given_name
from coref.types import Character

_BARE = 3
"""How many times as often as "Doctor Jo" a bare "Jo" must occur to be a given name."""
_SURE, _SHARE = 5, 0.03
_LADIES = frozenset(("Lady", "Dame"))


@dataclass(frozen=True, slots=True)
class FamilyName:
    surnames: frozenset[str]
    """In lower case. More than one if a marriage changes it, none if the book never says."""
    wife: bool
    """Whether any of their names is `Mrs.`, or the Lady of a Sir."""
    sure: bool
    """Whether the book uses the surname often enough to be certain."""

    def shares(self, other: FamilyName) -> bool:
        return not self.surnames.isdisjoint(other.surnames)

    def differs(self, other: FamilyName) -> bool:
        return self.sure and other.sure and not self.shares(other)


def family_name(character: Character) -> FamilyName:
    found: Counter[str] = Counter()
    bare = {a.text.casefold(): a.count for a in character.aliases}
    wife = False
    for alias in character.aliases:
        tokens = [t.strip(".,") for t in alias.text.split()]
        titles = [t for t in tokens[:-1] if _is_title(t)]
        given = [t for t in tokens if t[:1].isupper() and not _is_title(t)]
        if not given or not tokens[-1][:1].isupper():
            continue
        ladylike = not _LADIES.isdisjoint(titles)
        wed = not words("wed_titles").isdisjoint(titles) or (ladylike and len(given) == 1)
        surname = _surname(titles, given)
        if surname is not None and (len(given) > 1 or bare.get(surname, 0) <= _BARE * alias.count):
            found[surname] += alias.count
            wife = wife or wed
    most = max(found.values(), default=0)
    surnames = frozenset(s for s, n in found.items() if 20 * n >= most)
    wife = wife and character.pronouns != "he/him"
    sure = most >= min(_SURE, _SHARE * sum(bare.values()))
    return FamilyName(surnames, wife, sure)


def _surname(titles: list[str], given: list[str]) -> str | None:
    if len(given) > 1:
        first, last = map(gender_of_given_name, (given[0], given[-1]))
        return given[-1].casefold() if first or not last else None  # "Poor Kitty"
    kin = any(t.casefold() in table("kin") for t in titles)
    if not titles or kin:
        return None
    bare = not words("given_name_titles").isdisjoint(titles)
    first = gender_of_given_name(given[0]) if bare else None
    return None if first and first == table("titles").get(titles[0]) else given[0].casefold()


def _is_title(token: str) -> bool:
    return token in table("titles") or token in words("wed_titles") or token in words("rank_titles")
