"""Who is on stage: the people mentioned recently, and whom a pronoun most likely refers to."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from coref.names.name_clusters import CastMember
from coref.types import CharacterKind

_MEMORY = 40
_REACH = 9
"""How many sentences back a pronoun may refer."""
_FADE = tuple(0.5**d for d in range(_REACH + 1))
_SUBJECT, _OBJECT, _QUOTED = 1.4, 0.8, 0.4
_STRANGER, _STRANGER_OBJECT = 0.7, 0.3
_HERE = 2.2
"""Weight of a mention in the same sentence, relative to 1 for one in the sentence before."""
_DOUBT = 0.3
"""Factor on the weight of whoever spoke last, when somebody answers."""
_UNSURE = 0.3
"""Weight of a person of unknown gender, relative to one whose gender agrees."""


@dataclass(frozen=True, slots=True)
class SceneMention:
    who: int
    sentence: int
    weight: float


class Scene:
    """Remembers the latest mentions. Those in earlier sentences weigh less."""

    def __init__(self, people: list[CastMember]) -> None:
        self._people = people
        self._seen: deque[SceneMention] = deque(maxlen=_MEMORY)
        self._strangers: dict[tuple[str, str | None], int] = {}
        self._gender_of_stranger: dict[int, str | None] = {}
        self.last: dict[int, int] = {}
        """The sentence in which each person was last mentioned."""

    def see(self, who: int, *, sentence: int, subject: bool, quoted: bool) -> None:
        weight = _QUOTED if quoted else _SUBJECT if subject else _OBJECT
        self._seen.append(SceneMention(who, sentence, weight))
        self.last[who] = sentence

    def see_stranger(self, noun: str, gender: str | None, *, sentence: int, subject: bool) -> None:
        """Remember somebody unnamed, such as `the visitor`.

        Pronouns may refer to them, though they are in no cast.
        """
        number = self._strangers.setdefault((noun, gender), -1 - len(self._strangers))
        self._seen.append(SceneMention(number, sentence, _STRANGER if subject else _STRANGER_OBJECT))
        self._gender_of_stranger[number] = gender

    def clear(self) -> None:
        """Forget everybody on stage, for a new chapter."""
        self._seen.clear()

    def pick(
        self, gender: str, *, sentence: int, exclude: Collection[int] = (), doubted: int | None = None
    ) -> int | None:
        """Return the likeliest person for `he` or `she`.

        Returns None if nobody fits, or if somebody unnamed fits best.
        """
        scores: dict[int, float] = {}
        for seen in reversed(self._seen):
            distance = sentence - seen.sentence
            if distance > _REACH:
                break
            fit = self._fit(seen.who, gender)
            if fit and seen.who not in exclude:
                near = _HERE if distance <= 0 else _FADE[distance]
                doubt = _DOUBT if seen.who == doubted else 1.0
                scores[seen.who] = scores.get(seen.who, 0.0) + seen.weight * fit * near * doubt
        best = max(scores, key=lambda who: scores[who], default=None)
        if best is not None and best < 0:
            self._seen.append(SceneMention(best, sentence, _STRANGER))
            return None
        return best

    def _fit(self, who: int, gender: str) -> float:
        if who < 0:
            theirs = self._gender_of_stranger[who]
            return _UNSURE if theirs is None else float(theirs == gender)
        person = self._people[who]
        if person.kind is CharacterKind.GROUP:
            return 0.0
        if person.gender is None:
            return _UNSURE
        return 1.0 if person.gender == gender else 0.0

    def group(self, *, sentence: int) -> int | None:
        """Return the group mentioned last, for `they`, if it is near."""
        for seen in reversed(self._seen):
            if sentence - seen.sentence > 2:
                return None
            if seen.who >= 0 and self._people[seen.who].kind is CharacterKind.GROUP:
                return seen.who
        return None

    def latest(self, options: Collection[int]) -> int | None:
        """Return which of several people was mentioned last."""
        seen = [who for who in options if who in self.last]
        return max(seen, key=lambda who: self.last[who]) if seen else None
