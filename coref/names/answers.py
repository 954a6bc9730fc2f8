"""Who speaks where a name is called: if Mrs. Hale answers `“Come, Molly!”`, she may be Molly.

Only who speaks by a tag with a name counts: not the narrator, who says `said I`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, log1p

from coref.names.person_candidates import MentionCandidate

FEATURES = (
    "called: rarer",
    "other answers more",
    "other answers often",
    "other answers, against chance",
    "rarer answers, against chance",
    "rarer answers itself",
    "commoner answers itself",
    "talk together",
    "speaks: rarer",
    "both speak",
    "other names rarer",
    "rarer names other",
)
_REACH = 5
"""Number of turns before and after a call in which an answer is looked for."""
_SAME_SIDE = 0.3
"""Weight of whoever speaks second before or after a call, who is rather its own speaker."""
_ENOUGH = 1.2
"""Answers from which on two are a pair: a little more than one beside the call."""
_STEADY = 2
"""Added to counts before one is divided by them."""
_CHANCE = 0.5
"""Added to answers before they are compared with those that chance would give."""
_SPEAKS = 3
"""Turns from which on somebody is known to speak by a name."""


@dataclass(frozen=True, slots=True)
class NamedTurn:
    """Speech of one speaker, and the names in and beside it. Whose they are is read when they are counted."""

    paragraph: int
    last: int
    """The paragraph in which it ends."""
    chapter: int
    speaker: MentionCandidate | None
    """The name in its tag."""
    tagged: bool
    """Whether it has a tag, with a name or without."""
    called: Sequence[MentionCandidate]
    """The names in vocatives."""
    named: Sequence[MentionCandidate]
    """All names in it, those that are called too, but for the speaker's own: `I am Molly`."""


class Answers:
    """How often people are called, and who is said to speak around it."""

    def __init__(self, talk: Sequence[NamedTurn]) -> None:
        self._called = Counter[int]()
        self._spoken = Counter[int]()
        """Turns of each speaker."""
        self._answers: dict[int, dict[int, float]] = {}
        """For everybody who is called, who speaks around it. Whoever is farther away counts less."""
        self._answering: dict[int, float] = defaultdict(float)
        """How much each answers, whoever is called."""
        self._beside = Counter[tuple[int, int]]()
        """How often the second speaks in the turn before or after a call of the first."""
        self._ends: dict[frozenset[int], int] = {}
        """The end of the call, or of the answer, by which two become a pair."""
        self._together = Counter[frozenset[int]]()
        """How often one speaks right after the other."""
        self._names = Counter[tuple[int, int]]()
        """How often the second says the first one's name."""
        self._named = Counter[int]()
        for at in range(len(talk)):
            self._take(talk, at)
        for before, here in pairwise(talk):
            one, other = _who(before.speaker), _who(here.speaker)
            if one is not None and other is not None and one != other and _joins(before, here, 1):
                self._together[frozenset((one, other))] += 1
        self._all = {called: sum(answers.values()) for called, answers in self._answers.items()}
        self._in_all = sum(self._all.values())

    def _take(self, talk: Sequence[NamedTurn], at: int) -> None:
        here = talk[at]
        speaker = _who(here.speaker)
        if speaker is not None:
            self._spoken[speaker] += 1
        for spot in here.named:
            if spot.who is not None:
                self._named[spot.who] += 1
                if speaker is not None:
                    self._names[spot.who, speaker] += 1
        calls: dict[int, MentionCandidate] = {}
        for spot in here.called:
            if spot.who is not None and spot.who != speaker:
                calls.setdefault(spot.who, spot)
        for who, call in calls.items():
            self._called[who] += 1
            for step in (-1, 1):
                self._look(talk, at, step, who, call)

    def _look(self, talk: Sequence[NamedTurn], at: int, step: int, who: int, call: MentionCandidate) -> None:
        """Count the first one before or after a call who is said to speak, unless nobody knows who speaks."""
        here = talk[at]
        for far in range(1, _REACH + 1):
            there = at + step * far
            if not 0 <= there < len(talk) or not _joins(here, talk[there], far):
                return
            name, speaker = talk[there].speaker, _who(talk[there].speaker)
            if name is not None and speaker is not None and speaker != _who(here.speaker):
                weight = 1 / far if far % 2 else _SAME_SIDE / far
                answers = self._answers.setdefault(who, {})
                answers[speaker] = answers.get(speaker, 0.0) + weight
                self._answering[speaker] += weight
                self._beside[who, speaker] += far == 1
                if answers[speaker] >= _ENOUGH:
                    self._ends.setdefault(frozenset((who, speaker)), max(name.end, call.end))
                return
            if talk[there].tagged and speaker is None:
                return

    def pairs(self) -> Iterator[frozenset[int]]:
        """Yield the people of whom one speaks where the other is called, and not only once."""
        return (pair for pair in self._ends if len(pair) == 2)

    def beside(self, one: int, other: int) -> int:
        """Return how often one of two speaks beside a call of the other."""
        return self._beside[one, other] + self._beside[other, one]

    def arises(self, one: int, other: int) -> int | None:
        """Return where the text has shown that two are a pair. None if they are none."""
        return self._ends.get(frozenset((one, other)))

    def features(self, rarer: int, other: int) -> list[float]:
        spoken, together = self._spoken, self._together[frozenset((rarer, other))]
        answers = self._answers.get(rarer, {})
        best = max((count for who, count in answers.items() if who != other), default=0.0)
        return [
            log1p(self._called[rarer]) / 3,
            (answers.get(other, 0.0) - best) / self._asked(rarer),
            log1p(self._beside[rarer, other]),
            self._against_chance(rarer, other),
            self._against_chance(other, rarer),
            self._beside[rarer, rarer] / self._asked(rarer),
            self._beside[other, other] / self._asked(other),
            together / (min(spoken[rarer], spoken[other]) + _STEADY),
            log1p(spoken[rarer]) / 3,
            min(spoken[rarer], spoken[other]) >= _SPEAKS,
            self._names[rarer, other] / (self._named[rarer] + _STEADY),
            self._names[other, rarer] / (self._named[other] + _STEADY),
        ]

    def _against_chance(self, called: int, other: int) -> float:
        """Compare how often somebody answers with how often it would be if they answered all calls alike."""
        answers, mine = self._answers.get(called, {}).get(other, 0.0), self._all.get(called, 0.0)
        elsewhere = self._answering.get(other, 0.0) - answers
        share = (elsewhere + _CHANCE) / (self._in_all - mine + 2 * _CHANCE)
        return log((answers + _CHANCE) / (mine * share + _CHANCE))

    def _asked(self, called: int) -> float:
        """Return how many could have answered: one before each call and one after it."""
        return 2 * self._called[called] + _STEADY


def _joins(one: NamedTurn, other: NamedTurn, far: int) -> bool:
    """Return whether two belong to one conversation, the second being so many turns away.

    A paragraph of narration may stand before each of these, and one more.
    """
    first, second = (one, other) if one.paragraph <= other.paragraph else (other, one)
    return first.chapter == second.chapter and second.paragraph - first.last <= 2 * far + 1


def _who(spot: MentionCandidate | None) -> int | None:
    return None if spot is None else spot.who
