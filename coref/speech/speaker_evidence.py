"""Evidence for and against each candidate for a speaker: named features, each with a value, mostly 1.

The names are the model's vocabulary: the weights in `coref/data/speakers.json` are keyed by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, log

from coref.names.person_candidates import ME, MentionCandidate
from coref.speech.quote_surroundings import CROWD, Surroundings
from coref.speech.speech_tags import TagStrength
from coref.speech.turns import Turn, gap
from coref.types import MentionKind

Evidence = list[tuple[str, float]]
_STEPS = (0, 1, 2, 4, 8, 13)
_DISTANCES = ("same paragraph", "next paragraph", "one between", "apart")
_GOES_ON = frozenset(("continued", "continues", "added", "adds", "resumed", "proceeded", "pursued", "went"))
_ANSWERS = frozenset(("replied", "answered", "returned", "rejoined", "retorted", "responded", "replies"))


def nobody(turn: Turn) -> Evidence:
    """Return the evidence for a speaker outside the cast."""
    return [(f"nobody:{context(turn)}", 1.0), ("nobody", 1.0)]


def context(turn: Turn) -> str:
    """Return the kind of tag that a turn has. Without a tag, other evidence weighs more."""
    if turn.tag is None:
        return "bare"
    spot = turn.tag.spot
    known = "" if spot.who is not None else "?"
    if spot.kind is MentionKind.PROPER:
        return f"{turn.tag.strength}:name{known}"
    if spot.kind is MentionKind.NOMINAL:
        return f"{turn.tag.strength}:noun{known}"
    if spot.head == ME:
        return "i" + known
    return f"{turn.tag.strength}:pronoun{known}" if spot.gender else "they"


def group(turn: Turn) -> str:
    """Return the coarse kind of tag, for which all other evidence has weights of its own."""
    if turn.tag is None or turn.tag.strength is not TagStrength.SURE:
        return "bare"
    return "named" if turn.tag.named else "referred"


class SpeakerEvidence:
    """Collects the evidence on the candidates of one turn."""

    def __init__(self, around: Surroundings, turns: Sequence[Turn], at: int) -> None:
        self.around, self.turn = around, turns[at]
        self.before = turns[at - 1] if at and gap(turns[at - 1], turns[at]) is not None else None
        self.after = (
            turns[at + 1] if at + 1 < len(turns) and gap(turns[at], turns[at + 1]) is not None else None
        )
        self.group, self.context = group(self.turn), context(self.turn)
        self.lead, self.rest = around.subjects(self.turn)
        self.places = self._places()
        self.named = {who for q in self.turn.quotes for who in around.named.get(q, ())}
        self.called = self.turn.called
        self.introduced = {around.introduced[q] for q in self.turn.quotes if q in around.introduced}
        self.alone = {s.who for s in (*self.lead, *self.rest)}
        self._named_before = self._names(self.before)
        self._named_after = self._names(self.after)

    def on(self, who: int) -> Evidence:
        """Return the evidence on a candidate.

        Each feature counts for all turns and again for turns with this tag.
        """
        found = list(self._tag(who))
        for name in self._beside(who):
            found += [(name, 1.0), (f"{self.group}/{name}", 1.0)]
        often = log(1 + self.around.counts[who])
        found += [("often", often), (f"{self.group}/often", often)]
        return found

    def _names(self, turn: Turn | None) -> set[int]:
        if turn is None:
            return set()
        return {who for q in turn.quotes for who in self.around.named.get(q, ())} - turn.called

    def _tag(self, who: int) -> Iterator[tuple[str, float]]:
        tag = self.turn.tag
        if tag is None:
            return
        spot, context = tag.spot, self.context
        share = self.around.share(spot, who)
        yield f"{context}:is", share
        yield f"{context}:not", 1.0 - share
        if spot.gender is not None:
            yield f"{tag.strength}:gender {_fit(self.around.gender(who), spot.gender)}", 1.0
        if spot.head == ME:
            yield f"i:{'narrator' if self._narrates(who) else 'other'}", 1.0

    def _narrates(self, who: int) -> bool:
        return self.around.narrators[self.turn.paragraph] == who

    def _beside(self, who: int) -> Iterator[str]:
        yield from self._inside(who)
        yield from self._in_paragraph(who)
        though = " though others act here" if self.lead else ""
        yield from (name + though for name in self._paragraph_before(who))
        yield from self._neighbours(who)
        yield from self._nearness(who)
        if self._narrates(who):
            yield "narrates"
            if self.around.says_i(self.turn):
                yield "narrates, says I"

    def _inside(self, who: int) -> Iterator[str]:
        if who in self.called:
            yield "called here"
        elif who in self.named:
            yield "named here"
        if who in self.introduced:
            yield "introduced here"

    def _in_paragraph(self, who: int) -> Iterator[str]:
        yield from _position(self.lead[-1:], who, "last before quote")
        yield from _position(self.lead, who, "before quote", whole=True)
        yield from _position(self.rest[:1], who, "first after quote")
        yield from _position(self.rest, who, "after quote", whole=True)
        if self.alone == {who}:
            yield "alone in paragraph"
        first = next((s for s in (*self.lead, *self.rest) if s.subject), None)
        if first is not None and first.who == who:
            yield "first subject of paragraph"

    def _paragraph_before(self, who: int) -> Iterator[str]:
        number = self.turn.paragraph - 1
        if number < 0:
            return
        if self.before is not None and self.before.last == number:
            tail = self.around.tail(self.before)
            yield from _position(tail[-1:], who, "last of turn before")
            yield from _position(tail, who, "in turn before", whole=True)
            return
        told = self.around.told[number][-CROWD:]
        subjects = [s for s in told if s.subject]
        yield from _position(told[-1:], who, "last of paragraph before")
        if subjects and subjects[-1].who == who:
            yield "last subject of paragraph before"
        if subjects and subjects[0].who == who:
            yield "first subject of paragraph before"
        yield from _position(told, who, "in paragraph before", whole=True)

    def _neighbours(self, who: int) -> Iterator[str]:
        if self.before is not None and who in self.before.called:
            yield "called before"
            if self.turn.paragraph == self.before.last + 1:
                yield "called just before"
        if who in self._named_before:
            yield "named before"
        if self.after is not None and who in self.after.called:
            yield "called after"
        if who in self._named_after:
            yield "named after"
        yield from self._politely(who, self.before, "before")
        yield from self._politely(who, self.after, "after")
        follows = self.turn.last + 1
        if follows < len(self.around.told) and (self.after is None or self.after.paragraph != follows):
            yield from _position(self.around.told[follows][:1], who, "first of paragraph after")

    def _politely(self, who: int, turn: Turn | None, place: str) -> Iterator[str]:
        quotes = () if turn is None else turn.quotes
        gender = next((self.around.addressed[q] for q in quotes if q in self.around.addressed), None)
        if gender is not None:
            yield f"called sir or madam {place}: {_fit(self.around.gender(who), gender)}"

    def _nearness(self, who: int) -> Iterator[str]:
        distance, rank, count = self.places.get(who, (99, 99, 0))
        yield f"distance {sum(distance >= step for step in _STEPS)}"
        yield f"rank {min(rank, 4)}"
        yield f"mentions {min(count, 12).bit_length()}"

    def _places(self) -> dict[int, tuple[int, int, int]]:
        """Return for each person the last mention and the count of recent ones.

        The last mention is given by how many paragraphs back it is, and after how many other people.
        """
        found: dict[int, tuple[int, int, int]] = {}
        counts: dict[int, int] = {}
        for number, far in self.around.back_from(self.turn.paragraph, _STEPS[-1]):
            distance = ceil(far)
            spots = self.lead if number == self.turn.paragraph else self.around.told[number][-CROWD:]
            for spot in reversed(spots):
                if spot.who is not None:
                    counts[spot.who] = counts.get(spot.who, 0) + 1
                    found.setdefault(spot.who, (distance, len(found), 0))
        return {who: (distance, rank, counts[who]) for who, (distance, rank, _) in found.items()}


def _fit(theirs: str | None, gender: str) -> str:
    return "unknown" if theirs is None else "fits" if theirs == gender else "clashes"


def _position(
    spots: Sequence[MentionCandidate], who: int, place: str, *, whole: bool = False
) -> Iterator[str]:
    """Yield features for a candidate among the mentions of a place: subject or object, pronoun or name."""
    theirs = [spot for spot in spots if spot.who == who]
    if not theirs:
        return
    if whole:
        yield place
        return
    spot = theirs[-1]
    role = "subject" if spot.subject else "object"
    kind = "pronoun" if spot.kind is MentionKind.PRONOUN else "name"
    yield f"{place}: {role}"
    yield f"{place}: {kind}"


def following(turns: Sequence[Turn], at: int, around: Surroundings, *, question: bool) -> tuple[str, ...]:
    """Return features of how a turn follows the one before, which ends in a question if `question` is set."""
    steps = gap(turns[at - 1], turns[at]) or 0
    distance = _DISTANCES[min(steps, len(_DISTANCES) - 1)]
    ending = "told on" if around.tail(turns[at - 1]) else "all said"
    tag = turns[at].tag
    verb = "" if tag is None else tag.verb
    way = "goes on" if verb in _GOES_ON else "answers" if verb in _ANSWERS else "says"
    return (
        "",
        ending,
        f"{ending}/{group(turns[at])}",
        distance,
        f"{distance}/{group(turns[at])}",
        way,
        f"{group(turns[at])}/{'asked' if question else 'told'}",
    )
