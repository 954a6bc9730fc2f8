"""The surroundings of each turn: who acts in the paragraphs beside it, and who is mentioned how far away."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from coref.language.tokens import Tokens
from coref.names.person_candidates import ME, MentionCandidate
from coref.speech.attributed_speech import Parties
from coref.speech.pronoun_candidates import Shares
from coref.speech.turns import Turn
from coref.speech.vocatives import addressed_in, called_in, introduced_in
from coref.types import CharacterKind, MentionKind

_BEFORE, _AFTER = 12, 2
"""Number of paragraphs before and after a turn whose mentions are candidates for its speaker."""
_ONLY_TALK, _LONGEST_TALK = 0.15, 60
"""What a paragraph without narration adds to a distance, and the maximum number of paragraphs looked back."""
_FADE = 0.75
_NAMED, _SURELY = 0.5, 100.0
_MEANT, _PERHAPS = 0.1, 2.0
"""Share from which on a tag's pronoun makes somebody a candidate, and the weight of a whole share."""
CROWD = 200
"""Maximum number of people considered in one paragraph. A list of a thousand names is no scene."""
_MOST = 10
"""Maximum number of candidates for the speaker of a turn."""
_TURNS_BEFORE, _TURNS_AFTER = 6, 3


@dataclass(slots=True)
class Surroundings:
    tokens: Tokens
    parties: Parties
    narrators: Sequence[int | None]
    told: list[list[MentionCandidate]] = field(default_factory=list)
    """People whom the narration mentions, by paragraph."""
    named: dict[int, set[int]] = field(default_factory=dict)
    """People named in a quotation, keyed by quotation."""
    called: Mapping[int, Sequence[int]] = field(default_factory=dict)
    introduced: Mapping[int, int] = field(default_factory=dict)
    addressed: Mapping[int, str] = field(default_factory=dict)
    """The gender implied by `sir`, `madam` and the like in a quotation, keyed by quotation."""
    meant: Mapping[int, Shares] = field(default_factory=dict)
    """Shares of the people that a pronoun may refer to, if known, keyed by the pronoun's token."""
    counts: Counter[int] = field(default_factory=Counter)

    @staticmethod
    def of(
        tokens: Tokens,
        spots: Sequence[MentionCandidate],
        parties: Parties,
        narrators: Sequence[int | None],
        meant: Mapping[int, Shares] | None = None,
    ) -> Surroundings:
        made = Surroundings(tokens, parties, narrators, meant=meant or {})
        made.told = [[] for _ in tokens.ranges]
        paragraph = 0
        for spot in spots:
            if spot.who is None:
                continue
            while paragraph + 1 < len(tokens.ranges) and tokens.ranges[paragraph][1] <= spot.first:
                paragraph += 1
            made.counts[spot.who] += 1
            if spot.quote < 0:
                made.told[paragraph].append(spot)
            elif spot.kind is MentionKind.PROPER and not tokens.inner[spot.first]:
                made.named.setdefault(spot.quote, set()).add(spot.who)
        made.called, made.introduced = called_in(tokens, spots), introduced_in(tokens, spots)
        made.addressed = addressed_in(tokens)
        return made

    def share(self, spot: MentionCandidate, who: int) -> float:
        """Return the probability that a mention refers to somebody."""
        return self._shares(spot).get(who, 0.0)

    def same(self, one: MentionCandidate | None, other: MentionCandidate | None) -> float:
        """Return the probability that two mentions refer to one person whom the cast has."""
        if one is None or other is None:
            return 0.0
        theirs = self._shares(other)
        return sum(share * theirs.get(who, 0.0) for who, share in self._shares(one).items())

    def apart(self, one: MentionCandidate | None, other: MentionCandidate | None) -> float:
        """Return the probability that two mentions refer to two people whom the cast has."""
        known = one is not None and other is not None and self._shares(one) and self._shares(other)
        return 1.0 - self.same(one, other) if known else 0.0

    def _shares(self, spot: MentionCandidate) -> Shares:
        """Return the probabilities of whom a mention may refer to. Without shares `who` decides."""
        shares = self.meant.get(spot.first)
        if not shares:
            return {} if spot.who is None else {spot.who: 1.0}
        whole = sum(shares.values())
        return {who: share / whole for who, share in shares.items()}

    def may_speak(self, who: int) -> bool:
        party = self.parties.get(who)
        return party is None or party.kind is not CharacterKind.GROUP

    def gender(self, who: int) -> str | None:
        party = self.parties.get(who)
        return None if party is None else party.gender

    def candidates(self, turns: Sequence[Turn], at: int) -> list[int]:
        """Return the candidates for the speaker of a turn, ordered by nearness."""
        turn = turns[at]
        weights: dict[int, float] = defaultdict(float)
        for who, weight in chain(self._narrated_near(turn), self._named_near(turns, at)):
            if who is not None and self.may_speak(who):
                weights[who] += weight
        if turn.tag is not None and turn.tag.spot.who is not None:
            weights[turn.tag.spot.who] += _SURELY
            for who, share in self.meant.get(turn.tag.spot.first, {}).items():
                if share > _MEANT and self.may_speak(who):
                    weights[who] += _PERHAPS * share
        return sorted(weights, key=lambda who: (-weights[who], who))[:_MOST]

    def _narrated_near(self, turn: Turn) -> Iterator[tuple[int | None, float]]:
        for paragraph, distance in self.back_from(turn.paragraph, _BEFORE):
            own = paragraph == turn.paragraph
            for spot in chain(*self.subjects(turn)) if own else self.told[paragraph][:CROWD]:
                yield spot.who, _FADE**distance
        for paragraph in range(turn.paragraph + 1, min(turn.last + _AFTER + 1, len(self.told))):
            for spot in self.told[paragraph][:CROWD]:
                yield spot.who, _FADE ** max(0, 2 * (paragraph - turn.last))
        yield self.narrators[turn.paragraph], 1.0

    def _named_near(self, turns: Sequence[Turn], at: int) -> Iterator[tuple[int | None, float]]:
        for other in range(max(0, at - _TURNS_BEFORE), min(at + _TURNS_AFTER + 1, len(turns))):
            if turns[other].chapter == turns[at].chapter:
                for quote in turns[other].quotes:
                    for who in self.named.get(quote, ()):
                        yield who, _NAMED * _FADE ** abs(at - other)
        for quote in turns[at].quotes:
            yield self.introduced.get(quote), _SURELY

    def back_from(self, paragraph: int, reach: float) -> Iterator[tuple[int, float]]:
        """Yield paragraphs backwards with their distances. Nobody goes away while people only talk."""
        distance = 0.0
        for number in range(paragraph, max(-1, paragraph - _LONGEST_TALK), -1):
            yield number, distance
            distance += 1.0 if self.told[number] else _ONLY_TALK
            if distance > reach:
                return

    def subjects(self, turn: Turn) -> tuple[list[MentionCandidate], list[MentionCandidate]]:
        """Return the mentions in the paragraph of a turn before its first quotation and after it."""
        spots = self.told[turn.paragraph]
        at = bisect_left(spots, turn.said[0].first, key=lambda s: s.first)
        return spots[max(0, at - CROWD) : at], spots[at : at + CROWD]

    def tail(self, turn: Turn) -> list[MentionCandidate]:
        """Return the mentions after a turn's last quotation in its paragraph, except its tag's subject."""
        spots = self.told[turn.last]
        at = bisect_left(spots, turn.said[-1].end, key=lambda s: s.first)
        speaker = turn.tag.spot.first if turn.tag is not None else -1
        return [spot for spot in spots[at : at + CROWD] if spot.first != speaker]

    def says_i(self, turn: Turn) -> bool:
        spots = chain(*self.subjects(turn))
        return any(spot.head == ME and spot.kind is MentionKind.PRONOUN for spot in spots)
