"""Gender of people: where titles and given names leave it open, the pronouns after a name decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from coref.language.tokens import Tokens
from coref.language.word_lists import table
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import PRONOUNS, MentionCandidate
from coref.names.titles import gender_of_name
from coref.types import CharacterKind

Votes = Mapping[str, float]
"""How many pronouns of each class mean somebody."""

_LOOK_AHEAD = 25
_ENOUGH, _CLEARLY, _MOSTLY = 4, 3.0, 1.5
"""How many pronouns are needed, and how much more frequent one must be.

The higher factor outweighs a given name; the lower one is enough to lean.
"""


def lean(pronouns: Mapping[ProperName, Votes]) -> dict[ProperName, str]:
    """Return the gender of the names whose pronouns mostly agree."""
    return {name: gender for name, votes in pronouns.items() if (gender := _more(votes, _MOSTLY))}


def after_names(tokens: Tokens, uses: Iterable[NameUse]) -> dict[ProperName, Counter[str]]:
    """Return the pronouns that follow each name in the narration."""
    votes: dict[ProperName, Counter[str]] = defaultdict(Counter)
    for use in uses:
        if tokens.quote[use.first] < 0 and (heard := _next_pronoun(tokens, use.first, use.end)):
            votes[use.name][heard] += 1
    return votes


def find_genders(
    people: Sequence[CastMember],
    roles: Mapping[str, CastMember],
    tokens: Tokens,
    spots: Iterable[MentionCandidate],
) -> None:
    """Set everybody's gender from their title, the pronouns after their mentions, or their given name."""
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for spot in spots:
        person = _referent(spot, roles)
        if person is not None and spot.quote < 0:
            heard = _next_pronoun(tokens, spot.first, spot.end)
            if heard:
                votes[person.number][heard] += 1
    for person in people:
        person.gender = _verdict(person, votes[person.number])


def _referent(spot: MentionCandidate, roles: Mapping[str, CastMember]) -> CastMember | None:
    """Return the person that a mention refers to, if that is plain before anything is resolved."""
    if len(spot.options) == 1:
        return spot.options[0]
    return roles.get(spot.head) if spot.definite and spot.owner is None else None


def _next_pronoun(tokens: Tokens, first: int, end: int) -> str | None:
    """Return the first `he` or `she` after a mention, unless somebody else is mentioned in between."""
    for i in range(end, min(end + _LOOK_AHEAD, len(tokens))):
        word = PRONOUNS.get(tokens.lower[i])
        if word in ("he", "she") and tokens.quote[i] < 0:
            return word
        if tokens.sentence[i] > tokens.sentence[first] + 1:
            return None
        if not tokens.opens[i] and tokens.words[i][0].isupper():
            return None
    return None


def _more(votes: Votes, share: float) -> str | None:
    he, she = votes.get("he", 0), votes.get("she", 0)
    if he + she < _ENOUGH or max(he, she) < share * min(he, she):
        return None
    return "he" if he > she else "she"


def _verdict(person: CastMember, votes: Counter[str]) -> str | None:
    if person.kind is CharacterKind.GROUP:
        return None
    settled = _title_gender(person.names) or _more(votes, _CLEARLY) or person.gender
    if settled or votes["he"] == votes["she"]:
        return settled
    return "he" if votes["he"] > votes["she"] else "she"


def _title_gender(names: Mapping[ProperName, int]) -> str | None:
    """Return the gender of most titles that somebody bears, before a name or alone: `Madame`."""
    votes: Counter[str] = Counter()
    for name, count in names.items():
        alone = len(name.core) == 1 and name.core[0] in table("titles")
        gender = gender_of_name(" ".join(name.core if alone else name.titles))
        if gender is not None:
            votes[gender] += count
    return max(votes, key=lambda gender: votes[gender], default=None)
