"""Estimates how long stages take, from the size of the book and from earlier books in this process."""

from __future__ import annotations

from service.jobs.stages import PLAN

MEGABYTE = 1_000_000
FIRST_GUESS = {"read": 0.4, "resolve": 6.0, "index": 8.0, "publish": 0.4}
"""Seconds per megabyte of text (about two novels) on two cores."""
LEAST = 0.05
"""Minimum seconds of any stage."""
NEWS = 0.3
"""Weight of the latest book in the moving average."""
SURE = 0.05
"""Share of a stage after which its own pace predicts better than earlier books."""


class Pace:
    def __init__(self) -> None:
        self._rates = dict(FIRST_GUESS)

    def learn(self, stage: str, *, size: int, seconds: float) -> None:
        seen = seconds / max(size / MEGABYTE, 0.01)
        self._rates[stage] += NEWS * (seen - self._rates[stage])

    def expected(self, stage: str, *, size: int) -> float:
        return LEAST + self._rates[stage] * size / MEGABYTE

    def done(self, stage: str, share: float, *, size: int) -> float:
        """Share of the whole ingest that is done when `share` of this stage is done."""
        expected = {s.name: self.expected(s.name, size=size) for s in PLAN}
        before = sum(seconds for name, seconds in expected.items() if name not in _from(stage))
        return (before + share * expected[stage]) / sum(expected.values())

    def left(self, stage: str, share: float, *, elapsed: float, size: int) -> float:
        """Seconds until the ingest ends. `elapsed` is how long this stage has run."""
        expected = self.expected(stage, size=size)
        unsure = max(expected - elapsed, elapsed / 2)  # a late stage will probably take even longer
        here = elapsed * (1 - share) / share if share >= SURE else unsure
        return here + sum(self.expected(name, size=size) for name in _from(stage)[1:])


def _from(stage: str) -> list[str]:
    names = [s.name for s in PLAN]
    return names[names.index(stage) :]
