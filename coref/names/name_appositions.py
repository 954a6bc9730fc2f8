"""Appositions such as `Mr. Turton, the Collector`: the name and the noun belong to one person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from coref.language.tokens import Tokens
from coref.language.word_lists import table
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse
from coref.types import CharacterKind

_CLOSES = frozenset(",.;:!?”’\"'—)") | {"--"}
_GOES_ON = frozenset(("and", "or", "the"))
"""Words after the closing comma that turn an apposition into a list: `Tom, the doctor, and the squire`."""
_BEFORE_A_LIST = frozenset((",", "and", "or"))
_AFTER_ROLES = ("of", "who", "at")
_WORDS = 4
"""How many words may stand between a noun and its article."""
_MOST = 2 / 3
_SAID = 20

Places = Mapping[int, list[CastMember]]


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """The person who stands in apposition to a role, and how often."""

    person: CastMember
    count: int

    def may_be(self, times: int) -> bool:
        """Return whether a role used so many times can be theirs: a hero is not introduced in passing."""
        return times <= self.count * _SAID


def find_holders(tokens: Tokens, uses: Iterable[NameUse], options: Places) -> dict[str, RoleHolder]:
    """Return the holder of each role for which most appositions agree on one person."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    people: dict[int, CastMember] = {}
    for use in uses:
        meant = options.get(use.first, [])
        if len(meant) == 1 and meant[0].kind is CharacterKind.PERSON:
            people[meant[0].number] = meant[0]
            for noun in _apposed_nouns(tokens, use):
                votes[noun][meant[0].number] += 1
    likeliest = {noun: count.most_common(1)[0] for noun, count in votes.items()}
    return {
        noun: RoleHolder(people[number], count)
        for noun, (number, count) in likeliest.items()
        if count >= _MOST * votes[noun].total() and _fits(people[number], noun)
    }


def _fits(person: CastMember, noun: str) -> bool:
    gender = table("roles")[noun]
    return gender == "any" or person.gender is None or person.gender == gender


def _apposed_nouns(tokens: Tokens, use: NameUse) -> Iterator[str]:
    before, after = use.first - 1, use.end
    if tokens.words[after : after + 1] == [","] and not _in_a_list(tokens, before):
        noun = _role_after(tokens, after + 1)
        if noun is not None and _closes(tokens, noun + 1, also=_AFTER_ROLES):
            yield tokens.lower[noun]
    if before > 0 and tokens.words[before] == "," and tokens.lower[before - 1] in table("roles"):
        article = _article_before(tokens, before - 1)
        if article is not None and not _in_a_list(tokens, article - 1) and _closes(tokens, after):
            yield tokens.lower[before - 1]


def _role_after(tokens: Tokens, article: int) -> int | None:
    if tokens.lower[article : article + 1] != ["the"]:
        return None
    for i in range(article + 1, min(len(tokens), article + 2 + _WORDS)):
        if tokens.lower[i] in table("roles"):
            return i
        if not tokens.words[i][0].isalpha():
            return None
    return None


def _article_before(tokens: Tokens, noun: int) -> int | None:
    for i in range(noun - 1, max(-1, noun - 2 - _WORDS), -1):
        if tokens.lower[i] == "the":
            return i
        if not tokens.words[i][0].isalpha():
            return None
    return None


def _in_a_list(tokens: Tokens, before: int) -> bool:
    return before >= 0 and tokens.lower[before] in _BEFORE_A_LIST


def _closes(tokens: Tokens, at: int, *, also: tuple[str, ...] = ()) -> bool:
    if at >= len(tokens) - 1:
        return True
    if tokens.lower[at] in also:
        return True
    if tokens.words[at] == ",":
        return tokens.lower[at + 1] not in _GOES_ON
    return tokens.words[at] in _CLOSES
