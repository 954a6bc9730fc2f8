"""The requests of one call whose answers come from other threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from generation.errors import WritingCancelled
from generation.models.protocols import Listener
from generation.models.types import Completion

TICK = 0.05
"""Seconds between two checks whether anybody still waits."""


@dataclass(slots=True, eq=False)
class WritingCall:
    """The requests of one call, and the queue for its answers."""

    events: SimpleQueue[tuple[int, str | Completion] | BaseException] = field(default_factory=SimpleQueue)
    cancelled: bool = False

    def wait(self, count: int, listener: Listener | None) -> list[Completion]:
        """Wait until all requests are answered. The listener is called in the calling thread."""
        done: dict[int, Completion] = {}
        try:
            while len(done) < count:
                if listener is not None and listener.gone():
                    raise WritingCancelled
                try:
                    event = self.events.get(timeout=None if listener is None else TICK)
                except Empty:
                    continue
                if isinstance(event, BaseException):
                    raise event
                request, what = event
                if isinstance(what, Completion):
                    done[request] = what
                    if listener is not None:
                        listener.done(request, what)
                elif listener is not None:
                    listener.hear(request, what)
        finally:
            self.cancelled = True
        return [done[at] for at in range(count)]
