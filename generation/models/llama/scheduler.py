"""Schedule requests. Calls from many threads share one network, and their answers are written in one batch.

One thread owns the network. It reads a prompt whenever a slot is free, then extends all current answers by
one token, and so on. An answer that ends makes room for the next. If the network can't mix adapters in one
batch, a request for another adapter waits until the others have ended, and only a few overtake it.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import torch

from generation.errors import GeneratorUnavailable
from generation.models.llama.cache_slots import SlotCache
from generation.models.llama.network import LlamaNetwork
from generation.models.llama.sampling import EVERY_TOKEN, SamplingLimits, choose
from generation.models.llama.token_text import TokenText
from generation.models.types import Completion, Finish
from generation.models.writing_call import WritingCall
from generation.types import Usage

OVERTAKEN = 8
"""How often a request may be overtaken."""


@dataclass(slots=True, eq=False)
class AnswerRow:
    """One request in progress."""

    call: WritingCall
    request: int
    prompt: Sequence[int]
    adapter: str | None
    most: int
    """The most tokens it may have."""
    temperature: float
    seed: int
    pieces: TokenText
    written: list[int] = field(default_factory=list)
    seconds: float = 0.0
    """Its share of the network's time."""
    overtaken: int = 0
    """How many later requests joined a batch of another adapter before it."""

    @property
    def ids(self) -> list[int]:
        return [*self.prompt, *self.written]

    @property
    def room(self) -> int:
        return len(self.prompt) + self.most

    def draw(self) -> float:
        """Return a number from 0 to 1. It depends on the request and its position alone, so that neither
        neighbours nor a second attempt change the text.
        """
        return random.Random(f"{self.seed} {len(self.written)}").random()

    def tell(self, what: str | Completion) -> None:
        if what:
            self.call.events.put((self.request, what))


class Scheduler:
    def __init__(
        self, network: LlamaNetwork, *, ends: frozenset[int], limits: SamplingLimits = EVERY_TOKEN
    ) -> None:
        self._network = network
        self._limits = limits
        self._ends = ends
        self._limit = network.rows
        self._halved = False
        self._slots = SlotCache(network.layers)
        self._rows: list[AnswerRow] = []
        self._waiting: deque[AnswerRow] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="llama", daemon=True)
        self._thread.start()

    def submit(self, rows: Sequence[AnswerRow]) -> bool:
        """Queue requests. Return False if it is closed. Requests of one adapter are grouped with long prompts
        first: rows of a batch then have similar lengths, and no long one runs alone at the end.
        """
        ordered = sorted(rows, key=lambda row: (row.adapter or "", -len(row.prompt)))
        with self._wake:
            if self._closed:
                return False
            self._waiting.extend(ordered)
            self._wake.notify()
        return True

    def close(self, *, abandon: bool = False) -> None:
        """Finish the submitted requests first, unless they are abandoned."""
        with self._wake:
            self._closed = True
            if abandon:
                for row in (*self._rows, *self._waiting):
                    row.call.cancelled = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while self._wait():
            try:
                self._drop_cancelled()
                self._admit()
                if self._rows:
                    self._step()
            except torch.OutOfMemoryError as error:
                self._yield_memory(error)
            except BaseException as error:
                self._fail(error)

    def _wait(self) -> bool:
        with self._wake:
            while not (self._waiting or self._rows):
                if self._closed:
                    return False
                self._wake.wait()
        return True

    def _admit(self) -> None:
        for row, alike in self._next():
            started = time.perf_counter()
            try:
                self._network.select(row.adapter)
                read = self._network.read(row.ids, gone=lambda row=row: row.call.cancelled)  # type: ignore[misc]
                if read is None:
                    continue
                chances, cache = read
                self._slots.admit(cache, rows=min(self._limit, len(self._rows) + 1 + alike), room=row.room)
                del read, cache  # the next prompt needs their memory
            except BaseException:
                with self._wake:
                    self._waiting.appendleft(row)
                raise
            self._rows.append(row)
            self._choose([row], chances)
            row.seconds += time.perf_counter() - started
            self._end_finished()

    def _next(self) -> Iterator[tuple[AnswerRow, int]]:
        """Yield requests that can join the batch, each with how many more wait for the same adapter."""
        while True:
            with self._wake:
                while self._waiting and self._waiting[0].call.cancelled:
                    self._waiting.popleft()
                at = self._joining() if len(self._rows) < self._limit else None
                if at is None:
                    return
                row = self._waiting[at]
                del self._waiting[at]
                for passed in islice(self._waiting, at):
                    passed.overtaken += 1
                alike = sum(self._network.mixes or other.adapter == row.adapter for other in self._waiting)
            yield row, alike

    def _joining(self) -> int | None:
        """Return the place of the next waiting request that can join the batch.

        If adapters can't be mixed, requests of another one must wait for the end of the batch. Later ones of
        the batch's own adapter may join before them, but only a few times.
        """
        for at, row in enumerate(self._waiting):
            if self._network.mixes or not self._rows or row.adapter == self._rows[0].adapter:
                return at
            if row.overtaken >= OVERTAKEN:
                return None
        return None

    def _step(self) -> None:
        started = time.perf_counter()
        last, adapters = [row.written[-1] for row in self._rows], [row.adapter for row in self._rows]
        chances = self._network.step(last, self._slots, adapters)
        self._choose(self._rows, chances)
        share = (time.perf_counter() - started) / len(self._rows)
        for row in self._rows:
            row.seconds += share
        self._end_finished()

    def _choose(self, rows: Sequence[AnswerRow], chances: torch.Tensor) -> None:
        draws = [row.draw() for row in rows]
        heat = [row.temperature for row in rows]
        tokens = choose(chances, temperatures=heat, draws=draws, limits=self._limits)
        for row, token in zip(rows, tokens, strict=True):
            row.written.append(token)
            if token not in self._ends:
                row.tell(row.pieces.push(token))

    def _end_finished(self) -> None:
        for at in reversed(range(len(self._rows))):
            row = self._rows[at]
            stopped = row.written[-1] in self._ends
            if stopped or len(row.written) >= row.most:
                row.tell(row.pieces.rest())
                usage = Usage(len(row.prompt), len(row.written), 1, row.seconds)
                row.tell(Completion(row.pieces.text, Finish.STOP if stopped else Finish.LENGTH, usage))
                self._leave(at)

    def _drop_cancelled(self) -> None:
        for at in reversed(range(len(self._rows))):
            if self._rows[at].call.cancelled:
                self._leave(at)

    def _leave(self, at: int) -> AnswerRow:
        """Free a slot. The last row moves into it, as in `SlotCache`."""
        row, last = self._rows[at], self._rows.pop()
        if last is not row:
            self._rows[at] = last
        self._slots.leave(at)
        return row

    def _yield_memory(self, error: BaseException) -> None:
        """Continue with half the batch, once. A row that has to wait keeps its text, and is read again."""
        if self._halved or self._limit == 1:
            self._fail(_no_memory(error))
            return
        self._halved = True
        self._limit = max(1, self._limit // 2)
        back, self._rows = self._rows, []
        self._slots.clear()
        self._network.forget()
        with self._wake:
            self._waiting.extendleft(reversed(back))
        empty_cache()

    def _fail(self, error: BaseException) -> None:
        """Report an error to all requests in the batch or about to join it. The others are tried."""
        with self._wake:
            lost = self._rows or [self._waiting.popleft() for _ in range(min(1, len(self._waiting)))]
            self._rows = []
        self._slots.clear()
        for call in {row.call for row in lost}:
            call.cancelled = True
            call.events.put(error)
        empty_cache()


def _no_memory(error: BaseException) -> GeneratorUnavailable:
    made = GeneratorUnavailable(
        "The memory ran out while answers were written, even with half the batch.",
        remedy="Set a smaller batch or context, or stop other programs that use the device.",
        plain="The memory ran out while the language model wrote.",
    )
    made.__cause__ = error
    return made


def empty_cache() -> None:
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()
