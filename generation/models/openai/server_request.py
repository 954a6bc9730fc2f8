"""Send one request to the server, with a limited number of retries."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx2
from openai import OpenAIError

from books.errors import BookwormError
from generation.errors import ModelServerFailed, WritingCancelled
from generation.models.openai.connection import ConnectionFactory, CutReason, CuttableConnection
from generation.models.openai.parallel_calls import Switch
from generation.models.openai.response_reading import (
    BrokenOff,
    Garbled,
    ServerAnswer,
    read_stream,
    read_whole,
)
from generation.models.openai.server_dialect import Dialect, DialectWord
from generation.models.openai.server_faults import (
    LONGEST_WAIT,
    PATIENCE_ADVICE,
    ServerFault,
    fault_of,
    garbage,
)
from generation.models.types import CompletionRequest, OpenAISetup

FIRST_WAIT = 0.5
LONGEST_PAUSE = 20.0
PATIENCE = 5
"""A whole answer may take this many times as long as the server may be silent."""

WENT_WRONG = (OpenAIError, httpx2.HTTPError, httpx2.StreamError, OSError, ValueError, Garbled, BrokenOff)


@dataclass(frozen=True, slots=True)
class ServerReply:
    answer: ServerAnswer
    calls: int
    seconds: float


class ServerCaller:
    def __init__(
        self,
        doorway: ConnectionFactory,
        setup: OpenAISetup,
        *,
        learn_context: Callable[[int], None],
        first_wait: float,
    ) -> None:
        self._doorway = doorway
        self._setup = setup
        self._learn_context = learn_context
        self._first_wait = first_wait
        self._slots = threading.BoundedSemaphore(max(1, setup.concurrency))
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()

    def ask(
        self, request: CompletionRequest, *, model: str, switch: Switch, hear: Callable[[str], None] | None
    ) -> ServerReply:
        """Return the reply. With `hear`, it is streamed."""
        begun, calls, spent = time.monotonic(), 0, 0
        heard = _Heard(hear)
        dialect = self._dialects.get(model, Dialect())
        while True:
            calls += 1
            outcome = self._once(request, model, dialect, switch, heard)
            if isinstance(outcome, ServerAnswer):
                self._remember(model, dialect)
                return ServerReply(outcome, calls, time.monotonic() - begun)
            if outcome.context:
                self._learn_context(outcome.context)
            if outcome.refusal and (word := dialect.blamed(outcome.refusal)):
                dialect = Dialect(dialect.lacks | {word})
                continue
            spent += outcome.cost
            pause = self._pause(spent, outcome)
            if not outcome.again or heard.any or spent >= self._setup.attempts or pause is None:
                raise _with_attempts(outcome.error, calls)
            switch.sleep(pause)

    def _once(
        self, request: CompletionRequest, model: str, dialect: Dialect, switch: Switch, heard: _Heard
    ) -> ServerAnswer | ServerFault:
        streamed = heard.wanted and DialectWord.STREAM not in dialect.lacks
        body = dialect.body(request, model=model, stream=streamed)
        with switch.slot(self._slots), switch.wire(PATIENCE * self._setup.timeout) as wire:
            try:
                with self._doorway.client(wire) as client:
                    if streamed:
                        return read_stream(client, body, heard.hear)
                    answer = read_whole(client, body)
            except WENT_WRONG as error:
                return self._fault(error, wire)
        heard.hear(answer.text)
        return answer

    def _fault(self, error: Exception, wire: CuttableConnection) -> ServerFault:
        address = self._doorway.address
        if wire.why is CutReason.GONE:
            return ServerFault(WritingCancelled("The answer was cancelled: nobody is waiting for it."))
        if wire.why is CutReason.LATE:
            seconds = PATIENCE * self._setup.timeout
            text = f"The model server at {address.base} did not finish its answer in {seconds:g} seconds."
            return ServerFault(ModelServerFailed(text, remedy=PATIENCE_ADVICE))
        if isinstance(error, BrokenOff):
            text = f"The model server at {address.base} ended the connection in the middle of its answer."
            return ServerFault(ModelServerFailed(text), again=True)
        if isinstance(error, Garbled):
            return garbage(str(error), address)
        return fault_of(error, address)

    def _remember(self, model: str, dialect: Dialect) -> None:
        """Store what was learnt only after a success: a refusal may name something it does not mean."""
        with self._lock:
            known = self._dialects.get(model, Dialect())
            self._dialects[model] = Dialect(known.lacks | dialect.lacks)

    def _pause(self, spent: int, fault: ServerFault) -> float | None:
        """Return the seconds before the next attempt, each about twice as long as the last, or None if it is
        too long.
        """
        if fault.after is not None and fault.after > LONGEST_WAIT:
            return None
        pause = min(LONGEST_PAUSE, self._first_wait * 2.0 ** (spent - 1)) * random.uniform(0.5, 1.0)
        return max(pause, fault.after or 0.0)


class _Heard:
    """Streams an answer. A streamed text can't be taken back, so an answer that breaks off after that is not
    retried.
    """

    def __init__(self, hear: Callable[[str], None] | None) -> None:
        self.wanted = hear is not None
        self.any = False
        self._hear = hear

    def hear(self, piece: str) -> None:
        if self._hear and piece:
            self.any = True
            self._hear(piece)


def _with_attempts(error: BookwormError, calls: int) -> BookwormError:
    if calls > 1:
        error.detail += f" It was asked {calls} times."
    return error
