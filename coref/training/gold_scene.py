"""An excerpt with the gold mentions in place of a resolver's, and with simulated mistakes of a resolver.

Resolvers differ in the mentions they find, and weights learned from one alone trust it too much or too
little. Names are taken from the gold. Some nouns and pronouns are assigned to somebody else nearby.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from coref.language.tokens import Tokens
from coref.names.person_candidates import HE, ME, PRONOUNS, SHE, MentionCandidate, is_subject
from coref.training.litbank_quotations import LitbankPlace
from coref.types import CharacterKind, MentionKind

_LONGEST = 6
"""Maximum number of words of a nominal. A longer one contains a clause."""
_SELF = 3
"""How often an entity must say "I" outside quotes to be the narrator."""


@dataclass(frozen=True, slots=True)
class GoldPerson:
    gender: str | None
    kind: CharacterKind = CharacterKind.PERSON


@dataclass(frozen=True, slots=True)
class GoldScene:
    spots: list[MentionCandidate]
    parties: Mapping[int, GoldPerson]
    narrators: list[int | None]
    entities: Mapping[int, str]
    """The entity of each number."""


def gold_scene(
    mentions: Sequence[LitbankPlace], tokens: Tokens, *, mistaken: Mapping[MentionKind, float], seed: int
) -> GoldScene:
    """Build the scene. `mistaken` has the shares of mentions outside quotes that get another person."""
    numbers: dict[str, int] = {}
    spots: list[MentionCandidate] = []
    for mention in mentions:
        first, end = tokens.at(mention.span.start), tokens.at(mention.span.end)
        if (
            mention.person
            and first < end
            and (mention.kind is not MentionKind.NOMINAL or end - first <= _LONGEST)
        ):
            spots.append(_spot(mention, tokens, first, end, numbers))
    spots.sort(key=lambda spot: (spot.first, spot.end))
    genders = _genders(spots)
    teller = _teller(spots)
    for kind, share in mistaken.items():
        _mistake(spots, genders, Random(seed), kind, share)
    return GoldScene(
        spots,
        {number: GoldPerson(genders.get(number)) for number in numbers.values()},
        [teller] * len(tokens.ranges),
        {number: entity for entity, number in numbers.items()},
    )


def _spot(
    mention: LitbankPlace, tokens: Tokens, first: int, end: int, numbers: dict[str, int]
) -> MentionCandidate:
    head = tokens.lower[end - 1]
    if mention.kind is MentionKind.PRONOUN:
        head = PRONOUNS.get(head, head)
    return MentionCandidate(
        first,
        end,
        mention.kind,
        tokens.quote[first],
        head,
        who=numbers.setdefault(mention.entity, len(numbers)),
        gender=head if head in (HE, SHE) else None,
        subject=tokens.lower[first] in ("he", "she", "i", "they", "we") or is_subject(tokens, end),
    )


def _genders(spots: Sequence[MentionCandidate]) -> dict[int, str]:
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for spot in spots:
        if spot.gender is not None and spot.who is not None:
            votes[spot.who][spot.gender] += 1
    return {who: count.most_common(1)[0][0] for who, count in votes.items()}


def _teller(spots: Sequence[MentionCandidate]) -> int | None:
    said = Counter(spot.who for spot in spots if spot.head == ME and spot.quote < 0)
    return max((who for who in said if said[who] >= _SELF), key=lambda who: said[who], default=None)


def _mistake(
    spots: Sequence[MentionCandidate],
    genders: Mapping[int, str],
    chance: Random,
    kind: MentionKind,
    share: float,
) -> None:
    near: list[int] = []
    for spot in spots:
        if spot.who is None or spot.quote >= 0:
            continue
        gender = spot.gender if kind is MentionKind.PRONOUN else genders.get(spot.who)
        others = [who for who in near if who != spot.who and genders.get(who) == gender]
        near = [*near[-5:], spot.who]
        if spot.kind is kind and gender is not None and others and chance.random() < share:
            spot.who = others[-1]
