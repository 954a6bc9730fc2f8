"""Collects what is known of each resolved mention, from which `names.certainty` estimates its probability."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from coref.names.certainty import MentionFacts, MentionSort, sort_of
from coref.names.name_clusters import CastMember
from coref.names.person_candidates import HE, ME, SHE, YOU
from coref.native.groundwork import Groundwork
from coref.native.mention_candidates import NetworkMention
from coref.native.who_is_who import ResolvedBook
from coref.speech.attributed_speech import voice
from coref.types import EntityCategory, MentionKind

_COMPANY = 12
"""The number of mentions that count as the last ones."""
_NEW = 900
"""Characters of text after somebody's first name in which they may be who is meant."""


@dataclass(slots=True)
class _Stage:
    """Who has been mentioned so far, in reading order, in the narration or everywhere."""

    people: Sequence[CastMember]
    named: dict[int, int] = field(default_factory=dict)
    """Where each person was last named, the most recent last."""
    first: dict[int, int] = field(default_factory=dict)
    met: dict[int, int] = field(default_factory=dict)
    """Where each person was last mentioned in any way."""
    topics: dict[str | None, int | None] = field(default_factory=dict)
    """The person of the last subject of each gender."""
    last: deque[tuple[str | None, int | None]] = field(default_factory=lambda: deque(maxlen=_COMPANY))
    """The genders and people of the last mentions."""

    def see(self, spot: NetworkMention) -> None:
        if spot.head in (ME, YOU) and spot.kind is MentionKind.PRONOUN:
            return
        gender = spot.gender if spot.who is None else self.people[spot.who].gender
        self.last.append((gender, spot.who))
        if spot.subject:
            self.topics[gender] = spot.who
        if spot.who is not None:
            self.met[spot.who] = spot.span.end
        if spot.who is not None and spot.options:
            self.named.pop(spot.who, None)
            self.named[spot.who] = spot.span.end
            self.first.setdefault(spot.who, spot.span.start)

    def rivals(self, who: int, gender: str | None) -> int:
        """Count the people of a fitting gender who have been named since `who`."""
        count = 0
        for other in reversed(self.named):
            if other == who:
                break
            count += self._fits(self.people[other].gender, gender)
        return count

    def company(self, who: int, gender: str | None) -> float:
        fitting = [other == who for theirs, other in self.last if self._fits(theirs, gender)]
        return (sum(fitting) + 0.5) / (len(fitting) + 1)

    def newcomer(self, who: int, gender: str | None, now: int) -> bool:
        for other in reversed(self.named):
            new = other != who and now - self.first[other] < _NEW
            if new and self._fits(self.people[other].gender, gender):
                return True
            if now - self.named[other] > _NEW:
                return False
        return False

    @staticmethod
    def _fits(theirs: str | None, gender: str | None) -> bool:
        return theirs is None or gender is None or theirs == gender


def facts_of(ground: Groundwork, meaning: ResolvedBook) -> dict[int, MentionFacts]:
    """Return the facts of all mentions of people in the cast, keyed by their numbers among the candidates."""
    narrated, everywhere = _Stage(meaning.cast.people), _Stage(meaning.cast.people)
    theirs = [s for s in meaning.sightings if s.who is not None and s.category is EntityCategory.PERSON]
    counts = Counter(s.who for s in theirs)
    found: dict[int, MentionFacts] = {}
    for s in meaning.sightings:
        if s.category is not EntityCategory.PERSON:
            continue
        if s.who is not None:
            stage = narrated if s.quote < 0 else everywhere
            found[s.at] = _facts(ground, meaning, s, s.who, stage, counts[s.who] / len(theirs))
        everywhere.see(s)
        if s.quote < 0:
            narrated.see(s)
    return found


def _facts(
    ground: Groundwork,
    meaning: ResolvedBook,
    spot: NetworkMention,
    who: int,
    stage: _Stage,
    presence: float,
) -> MentionFacts:
    settled, person = meaning.settled, meaning.cast.people[who]
    gender = spot.gender if spot.gender in (HE, SHE) else person.gender
    quote = voice(ground.tokens, meaning.said, spot)
    meant = None if quote is None else quote.addressee if spot.head == YOU else quote.speaker
    teller = meaning.tellers.by_paragraph[ground.paragraphs[spot.first]]
    name = spot.use.name if spot.use is not None else None
    named, met = stage.named.get(who), stage.met.get(who)
    sort = sort_of(spot.kind, spot.head, quoted=spot.quote >= 0)
    return MentionFacts(
        sort=sort,
        raw=settled.confidence[spot.at],
        support=settled.support[spot.at],
        margin=settled.margin[spot.at],
        agreed=settled.agreed[spot.at],
        through=meaning.shares[spot.at].get(who, 0.0),
        distance=None if named is None else max(0, spot.span.start - named),
        rivals=stage.rivals(who, gender),
        gap=None if met is None else max(0, spot.span.start - met),
        topic=stage.topics.get(gender) == who,
        company=stage.company(who, gender),
        presence=presence,
        subject=spot.subject,
        gendered=person.gender is not None,
        bearers=max(1, len(spot.options)),
        bare=name is not None and not name.titles and len(name.core) == 1,
        indefinite=sort is MentionSort.NOUN and not spot.definite,
        newcomer=stage.newcomer(who, gender, spot.span.start),
        speaker=0.0 if quote is None else quote.confidence,
        turn=meant == who,
        named=bool(person.names),
        told=teller == who,
        letter=teller is not None and teller != meaning.tellers.main,
    )
