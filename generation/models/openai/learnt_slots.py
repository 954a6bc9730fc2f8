"""How many calls a server answers side by side, learnt from when its answers begin.

A server with one slot lets the other calls wait without a byte, which looks like silence. One that batches
begins them all soon.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from generation.models.openai.parallel_calls import Switch
from generation.models.writing_call import TICK

_FIRST = 2
"""Calls side by side at the beginning."""
_SOON = 1 / 6
"""Share of the time a server may be silent within which an answer must begin for more calls to be tried."""
_REST = 60.0
"""Seconds for which no more calls are tried after the server has said that there were too many."""


class LearntSlots:
    def __init__(self, most: int, *, timeout: float) -> None:
        """`most` is the most calls, and `timeout` the seconds that the server may be silent."""
        self._most, self._soon = max(1, most), _SOON * timeout
        self._allowed = min(_FIRST, self._most)
        self._busy = 0
        self._resting_until = 0.0
        self._free = threading.Condition()

    @contextmanager
    def slot(self, switch: Switch) -> Iterator[None]:
        """Wait for a slot. Raises WritingCancelled if the switch is turned off meanwhile."""
        with self._free:
            while self._busy >= self._allowed:
                self._free.wait(TICK)
                switch.sleep(0)
            self._busy += 1
        try:
            yield
        finally:
            with self._free:
                self._busy -= 1
                self._free.notify()

    def began(self, seconds: float) -> None:
        """Allow one call more if this answer began soon although all slots were taken."""
        with self._free:
            rests = time.monotonic() < self._resting_until
            if not rests and seconds <= self._soon and self._busy >= self._allowed < self._most:
                self._allowed += 1
                self._free.notify()

    def was_silent(self) -> bool:
        """Allow fewer calls. Returns whether there were others, for which the silent one may have waited."""
        with self._free:
            others = self._busy > 1
            self._allowed = max(1, self._busy // 2) if others else self._allowed
            return others

    def was_refused(self) -> None:
        """Allow fewer calls, and for a while no more: the server says that there were too many."""
        with self._free:
            self._allowed = max(1, self._busy // 2)
            self._resting_until = time.monotonic() + _REST
