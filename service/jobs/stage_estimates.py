"""Estimates how long stages take, from the size of the book and from earlier books on this machine."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from service.jobs.stages import PLAN
from service.kept_by_machine import KeptByMachine

MEGABYTE = 1_000_000
FILE: Final = "stage_rates.json"
FIRST_GUESS = {"read": 0.4, "resolve": 50.0, "index": 30.0, "publish": 0.6}
"""Seconds per megabyte of text (about two novels) on two cores, as in `benchmarks/results`."""
LEAST = 0.05
"""Minimum seconds of any stage."""
NEWS = 0.3
"""Weight of the latest book in the moving average, if it is a novel."""
NOVEL = 300_000
"""Bytes from which a book counts fully. Most of the time of a tiny one is that of loading models."""
SURE = 0.05
"""Share of a stage after which its own pace predicts better than earlier books."""


class Pace:
    """Seconds per megabyte of each stage. With a file they are kept there, by machine."""

    def __init__(self, file: Path | None = None) -> None:
        self._kept = KeptByMachine(file) if file else None
        self._rates = dict(FIRST_GUESS)
        found = self._kept.found() if self._kept else None
        with suppress(AttributeError, TypeError, ValueError):
            known = {stage: float(rate) for stage, rate in (found or {}).items() if stage in FIRST_GUESS}
            self._rates.update({stage: rate for stage, rate in known.items() if 0 < rate < inf})

    def learn(self, stage: str, *, size: int, seconds: float) -> None:
        seen = seconds / max(size / MEGABYTE, 0.01)
        self._rates[stage] += NEWS * min(1.0, size / NOVEL) * (seen - self._rates[stage])
        if self._kept:
            self._kept.keep({stage: round(rate, 3) for stage, rate in self._rates.items()})

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
