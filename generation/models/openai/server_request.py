"""Send one request to the server, with a limited number of retries."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx2
from openai import OpenAIError

from books.errors import BookwormError, Wording
from generation.errors import PromptTooLong, WritingCancelled
from generation.models.openai.connection import ConnectionFactory, CutReason, CuttableConnection
from generation.models.openai.learnt_slots import LearntSlots
from generation.models.openai.parallel_calls import Switch
from generation.models.openai.response_reading import (
    BrokenOff,
    Garbled,
    NoStream,
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
    server_failed,
)
from generation.models.openai.server_knowledge import ServerKnowledge
from generation.models.thinking import CLOSE, OPEN, ThinkingSplitter, only_closes, spoken
from generation.models.types import CompletionRequest, Finish, OpenAISetup

FIRST_WAIT = 0.5
LONGEST_PAUSE = 20.0
THINKING_ROOM, THINKING_SHARE = 4096, 0.4
"""Tokens that a model may think before an answer, and the most of its context for that."""
PATIENCE = 5
"""A whole answer may take this many times as long as the server may be silent."""

WENT_WRONG = (OpenAIError, httpx2.HTTPError, httpx2.StreamError, OSError, ValueError, Garbled, BrokenOff)


@dataclass(frozen=True, slots=True)
class ServerReply:
    answer: ServerAnswer
    calls: int
    seconds: float
    void: tuple[ServerAnswer, ...] = ()
    """Answers that were all thinking. Their tokens are spent all the same."""


class ServerCaller:
    def __init__(
        self, doorway: ConnectionFactory, setup: OpenAISetup, knowledge: ServerKnowledge, *, first_wait: float
    ) -> None:
        self._doorway = doorway
        self._setup = setup
        self._knowledge = knowledge
        self._first_wait = first_wait
        self._slots = LearntSlots(setup.concurrency, timeout=setup.timeout)
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()

    def room(self, model: str) -> int:
        """Return the tokens that this model needs to think, if it is known to."""
        thinks = self._dialects.get(model, Dialect()).thinks
        return min(THINKING_ROOM, int(self._knowledge.context(model) * THINKING_SHARE)) if thinks else 0

    def ask(
        self, request: CompletionRequest, *, model: str, switch: Switch, hear: Callable[[str], None] | None
    ) -> ServerReply:
        """Return the reply. With `hear`, it is streamed."""
        begun, calls, spent = time.monotonic(), 0, 0
        heard, void = _Heard(hear), list[ServerAnswer]()
        dialect = self._dialects.get(model, Dialect())
        while True:
            calls += 1
            outcome = self._once(request, model, dialect, switch, heard)
            if isinstance(outcome, ServerAnswer):
                cramped = _is_cramped(outcome, dialect) and not dialect.thinks
                closes = _only_closes(outcome, dialect)
                dialect = replace(dialect, thinks=dialect.thinks or cramped, only_closes=closes)
                self._remember(model, dialect)
                if not cramped or heard.any:
                    return ServerReply(outcome, calls, time.monotonic() - begun, tuple(void))
                void.append(outcome)
                heard.rest()
                self._check_room(request, model, outcome)
                continue
            if isinstance(outcome.error, PromptTooLong):
                taken = self._knowledge.count_prompt(request.messages) + request.max_tokens + self.room(model)
                self._knowledge.learn_context(model, outcome.context, refused=taken)
            if outcome.refusal and (word := dialect.blamed(outcome.refusal)):
                dialect = dialect.without(word)
                continue
            spent += outcome.cost
            pause = self._pause(spent, outcome)
            if not outcome.again or heard.any or spent >= self._setup.attempts or pause is None:
                raise _with_attempts(outcome.error, calls)
            switch.sleep(pause)

    def _once(
        self, request: CompletionRequest, model: str, dialect: Dialect, switch: Switch, heard: _Heard
    ) -> ServerAnswer | ServerFault:
        # A server that streams shows that it is at work, whether or not anybody listens.
        streamed = DialectWord.STREAM not in dialect.lacks
        room = self.room(model)
        body = dialect.body(request, model=model, stream=streamed, setup=self._setup, room=room)
        with self._slots.slot(switch), switch.wire(PATIENCE * self._setup.timeout) as wire:
            heard.expect(self._slots.began, thinking=dialect.only_closes)
            try:
                with self._doorway.client(wire) as client:
                    if streamed:
                        return read_stream(client, body, heard, tokens=request.max_tokens + room)
                    answer = read_whole(client, body)
            except WENT_WRONG as error:
                fault = self._fault(error, wire)
                if fault.crowded:
                    self._slots.was_refused()
                # It may only have waited for the others: then it is asked again, and fewer at a time.
                return replace(fault, cost=0) if fault.silence and self._slots.was_silent() else fault
        heard.hear(answer.text)
        return answer

    def _fault(self, error: Exception, wire: CuttableConnection) -> ServerFault:
        address = self._doorway.address
        if wire.why is CutReason.GONE:
            return ServerFault(WritingCancelled())
        if wire.why is CutReason.LATE:
            seconds = PATIENCE * self._setup.timeout
            text = f"The model server at {address.base} did not finish its answer in {seconds:g} seconds."
            plain = "The model server did not finish its answer in time."
            return ServerFault(server_failed(plain, text, remedy=PATIENCE_ADVICE))
        if isinstance(error, BrokenOff):
            text = f"The model server at {address.base} ended the connection in the middle of its answer."
            plain = "The model server ended the connection in the middle of its answer."
            return ServerFault(server_failed(plain, text), again=True)
        if isinstance(error, NoStream):
            return ServerFault(garbage(str(error), address).error, refusal="it does not stream")
        if isinstance(error, Garbled):
            return garbage(str(error), address)
        return fault_of(error, address)

    def _remember(self, model: str, dialect: Dialect) -> None:
        """Store what was learnt only after a success: a refusal may name something it does not mean."""
        with self._lock:
            known = self._dialects.get(model, Dialect())
            lacks, thinks = known.lacks | dialect.lacks, known.thinks or dialect.thinks
            self._dialects[model] = replace(dialect, lacks=lacks, thinks=thinks)

    def _check_room(self, request: CompletionRequest, model: str, answer: ServerAnswer) -> None:
        """Raise PromptTooLong if thinking does not fit beside this prompt. A shorter one leaves room."""
        prompt = answer.prompt_tokens or 0
        if prompt + request.max_tokens + self.room(model) > self._knowledge.context(model):
            plain = "The prompt leaves the model no room to think"
            in_full = Wording(f"{plain}: {model}.", PromptTooLong.remedy)
            raise PromptTooLong(f"{plain}.", in_full=in_full)

    def _pause(self, spent: int, fault: ServerFault) -> float | None:
        """Return the seconds before the next attempt, about twice the last, or None if that is too long."""
        if fault.after is not None and fault.after > LONGEST_WAIT:
            return None
        pause = min(LONGEST_PAUSE, self._first_wait * 2.0 ** (spent - 1)) * random.uniform(0.5, 1.0)
        return max(pause, fault.after or 0.0)


def _is_cramped(answer: ServerAnswer, dialect: Dialect) -> bool:
    """Return whether the model thought until no token was left for its answer, or for the end of it."""
    if answer.finish is not Finish.LENGTH:
        return answer.thought and not spoken(answer.text).strip()
    return answer.thought or dialect.only_closes or not answer.text.strip()


def _only_closes(answer: ServerAnswer, dialect: Dialect) -> bool:
    """Return whether that habit is seen, or was and is not belied by an answer without any thinking."""
    belied = answer.finish is Finish.STOP and not answer.thought
    return only_closes(answer.text) or (dialect.only_closes and not belied)


class _Heard:
    """Streams an answer. One that breaks off is not retried: a streamed text can't be taken back."""

    def __init__(self, hear: Callable[[str], None] | None) -> None:
        self.any = False
        self._hear = hear
        self._splitter = ThinkingSplitter()
        self._thinks_aside = False
        self._asked = 0.0
        self._began: Callable[[float], None] | None = None
        self._begins_thinking = False

    def expect(self, began: Callable[[float], None], *, thinking: bool) -> None:
        """Tell `began` how long the answer that is asked for now takes to begin, perhaps with `thinking`."""
        self._asked, self._began, self._begins_thinking = time.monotonic(), began, thinking

    def begin(self) -> None:
        if self._began is not None:
            self._began(time.monotonic() - self._asked)
            self._began = None
        if self._begins_thinking:
            self._mark(OPEN)

    def hear(self, piece: str) -> None:
        if self._hear and piece:
            piece = CLOSE + piece if self._thinks_aside else piece
            self._thinks_aside = False
            self.any = self.any or bool(self._splitter.hear(piece).text.strip())
            self._hear(piece)

    def think(self) -> None:
        """The server sends thinking apart from the text. The listener is told by the marks of thinking."""
        if not self._thinks_aside:
            self._thinks_aside = True
            self._mark(OPEN)

    def rest(self) -> None:
        """End the thinking, because the model is asked again."""
        if self._splitter.thinking:
            self._thinks_aside = False
            self._mark(CLOSE)

    def _mark(self, mark: str) -> None:
        if self._hear:
            self._splitter.hear(mark)
            self._hear(mark)


def _with_attempts(error: BookwormError, calls: int) -> BookwormError:
    if calls > 1 and error.in_full is not None:
        told = f"{error.in_full.detail} It was asked {calls} times."
        error.in_full = replace(error.in_full, detail=told)
    return error
