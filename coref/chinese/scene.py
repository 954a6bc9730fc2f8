"""Who is on stage in a Chinese book, and whom a pronoun most likely refers to there."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from coref.chinese.people import ChinesePerson

_MEMORY = 30
_REACH = 7
"""How many sentences back a pronoun may refer."""
_FADE = tuple(0.55**d for d in range(_REACH + 1))
_SUBJECT, _OTHER, _QUOTED = 1.5, 0.8, 0.25
_HERE = 1.8
"""Weight of a mention in the same sentence, relative to 1 for one in the sentence before."""
_DAMPED = 0.5
_UNSURE = {"he": 0.6, "she": 0.35}
"""Weight of a person of unknown gender for a gendered pronoun. 他 was long used for everybody."""


class ChineseScene:
    """Remembers the latest mentions. `telling` says whether 他 and 她 distinguish gender in this book."""

    def __init__(self, people: Sequence[ChinesePerson], *, telling: bool) -> None:
        self._people, self._telling = people, telling
        self._seen: deque[tuple[int, int, float]] = deque(maxlen=_MEMORY)
        self.last: dict[int, int] = {}
        """The sentence in which each person was last mentioned."""
        self._subject: tuple[int, int] | None = None

    def see(self, who: int, *, sentence: int, subject: bool, quoted: bool) -> None:
        self._seen.append((who, sentence, _QUOTED if quoted else _SUBJECT if subject else _OTHER))
        self.last[who] = sentence
        if subject and not quoted:
            self._subject = (who, sentence)

    def clear(self) -> None:
        """Forget everybody on stage, for a new chapter."""
        self._seen.clear()
        self._subject = None

    def subject(self, sentence: int) -> int | None:
        """Return who acted last, in this sentence or the one before."""
        if self._subject is None or sentence - self._subject[1] > 1:
            return None
        return self._subject[0]

    def pick(
        self, gender: str, *, sentence: int, out: Collection[int] = (), damped: int | None = None
    ) -> tuple[int, float] | None:
        """Return the likeliest person with their share of the total score, or None if nobody fits.

        `damped` is the subject of the clause, for a pronoun that is not a subject.
        """
        scores: dict[int, float] = {}
        for who, where, weight in reversed(self._seen):
            distance = sentence - where
            if distance > _REACH:
                break
            fit = self._fit(who, gender)
            if fit and who not in out:
                near = _HERE if distance <= 0 else _FADE[distance]
                fit *= _DAMPED if who == damped else 1.0
                scores[who] = scores.get(who, 0.0) + weight * fit * near
        if not scores:
            return None
        best = max(scores, key=lambda who: scores[who])
        return best, scores[best] / sum(scores.values())

    def _fit(self, who: int, gender: str) -> float:
        theirs = self._people[who].gender
        if not self._telling and gender == "he":
            return 1.0
        return _UNSURE[gender] if theirs is None else float(theirs == gender)

    def latest(self, options: Collection[int]) -> int:
        """Return which of several people was mentioned last, or the first if none was."""
        return max(options, key=lambda who: self.last.get(who, -1))
