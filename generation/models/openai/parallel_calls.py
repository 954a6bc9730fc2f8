"""Run several calls in parallel that the waiting caller can cancel together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from generation.errors import WritingCancelled
from generation.models.openai.connection import CutReason, CuttableConnection
from generation.models.protocols import Listener
from generation.models.types import Completion

TICK = 0.05
"""Seconds between two checks whether anybody still waits."""


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
_Said = SimpleQueue[tuple[int, str | None]]


def together(jobs: Sequence[Job], *, hands: int, listener: Listener | None) -> list[Completion]:
    """Return the result of each job, in order. The first that fails cancels the others.

    The listener is called on this thread only, whichever thread a piece came in on.
    """
    switch = Switch()
    said: _Said = SimpleQueue()
    pool = ThreadPoolExecutor(max_workers=max(1, min(hands, len(jobs))), thread_name_prefix="openai")
    try:
        futures = [_start(pool, job, at, switch, said) for at, job in enumerate(jobs)]
        _listen(futures, said, listener)
        return [future.result() for future in futures]
    finally:
        switch.turn_off()
        pool.shutdown(wait=False, cancel_futures=True)


def _start(pool: ThreadPoolExecutor, job: Job, at: int, switch: Switch, said: _Said) -> Future[Completion]:
    future = pool.submit(job, switch, lambda piece: said.put((at, piece)))
    future.add_done_callback(lambda _: said.put((at, None)))
    return future


def _listen(futures: Sequence[Future[Completion]], said: _Said, listener: Listener | None) -> None:
    left, look = len(futures), time.monotonic()
    while left:
        if listener and time.monotonic() >= look:
            look = time.monotonic() + TICK
            if listener.gone():
                raise WritingCancelled
        try:
            at, piece = said.get(timeout=TICK)
        except Empty:
            continue
        if piece is None:
            left -= 1
            completion = futures[at].result()
            if listener:
                listener.done(at, completion)
        elif listener:
            listener.hear(at, piece)
