"""Run several calls in parallel that the waiting caller can cancel together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from generation.errors import WritingCancelled
from generation.models.openai.connection import CutReason, CuttableConnection
from generation.models.protocols import Listener
from generation.models.types import Completion
from generation.models.writing_call import WritingCall


class Switch:
    """A cancellation switch. Turned off, it wakes sleepers, cuts connections and lets nothing new begin."""

    def __init__(self) -> None:
        self._off = threading.Event()
        self._lock = threading.Lock()
        self._wires: set[CuttableConnection] = set()

    def turn_off(self) -> None:
        self._off.set()
        with self._lock:
            wires = list(self._wires)
        for wire in wires:
            wire.cut(CutReason.GONE)

    def sleep(self, seconds: float) -> None:
        if self._off.wait(seconds):
            raise WritingCancelled

    @contextmanager
    def wire(self, seconds: float) -> Iterator[CuttableConnection]:
        with CuttableConnection(seconds) as wire:
            with self._lock:
                self._wires.add(wire)
            try:
                self.sleep(0)  # it may have been turned off before the wire existed
                yield wire
            finally:
                with self._lock:
                    self._wires.discard(wire)


Job = Callable[[Switch, Callable[[str], None]], Completion]
"""Makes a completion, and hands on its pieces."""


def together(jobs: Sequence[Job], *, hands: int, listener: Listener | None) -> list[Completion]:
    """Return the result of each job, in order. The first that fails cancels the others.

    The listener is called on this thread only, whichever thread a piece came in on.
    """
    switch, call = Switch(), WritingCall()

    def do(at: int, job: Job) -> None:
        try:
            call.events.put((at, job(switch, lambda piece: call.events.put((at, piece)))))
        except BaseException as error:
            call.events.put(error)

    pool = ThreadPoolExecutor(max_workers=max(1, min(hands, len(jobs))), thread_name_prefix="openai")
    try:
        for at, job in enumerate(jobs):
            pool.submit(do, at, job)
        return call.wait(len(jobs), listener)
    finally:
        switch.turn_off()
        pool.shutdown(wait=False, cancel_futures=True)
