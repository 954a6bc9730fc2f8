"""What is known about a server: queried once when needed, and assumed until it answers."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

import httpx2

from generation.errors import GeneratorUnavailable, told_in_log
from generation.models.openai.server import ContextLength, ListedModel, Server
from generation.models.openai.server_faults import MODEL_ADVICE
from generation.models.openai.token_estimate import estimate, estimate_prompt
from generation.models.types import Message, OpenAISetup
from generation.types import Task

SAFE_CONTEXT = 8192
"""Tokens that current models accept at least, if the server does not say."""
LOADING = 60.0
"""Seconds that a server is given to load its model."""
REST = 30.0
"""Seconds for which a server that failed to answer is not queried again."""
QUICK = 0.005
"""Seconds a server may take to count a text, when a book's thousands are counted one by one."""
TRIED = 20
"""Texts after which it is known whether a server is quick, and how its count compares to the estimate."""
LESS, LEAST_GUESSED = 0.75, 2048
"""A refusal without a usable number: the part of the refused tokens that is tried next, and the least."""
MARGIN = 1.05
REMEMBERED = 4096
"""Texts whose length is cached: the passages of a book are counted for one character after another."""

Told = TypeVar("Told")


class CountingPace:
    """Measures how long counting takes over the network. A server far away is not asked for every text: after
    some, the estimate is corrected by their real counts. Whole prompts are always counted by the server.
    """

    def __init__(self) -> None:
        self._texts, self._seconds = 0, 0.0
        self._guessed, self._counted = 0, 0

    def note(self, text: str, counted: int, seconds: float) -> None:
        self._texts += 1
        self._seconds += seconds
        self._guessed += estimate(text)
        self._counted += counted

    @property
    def slow(self) -> bool:
        return self._texts >= TRIED and self._seconds > QUICK * self._texts

    def corrected(self, guess: int) -> int:
        return math.ceil(guess * MARGIN * self._counted / max(1, self._guessed))


class ServerKnowledge:
    def __init__(self, server: Server, setup: OpenAISetup) -> None:
        unknown = sorted(set(setup.models) - {t.value for t in Task})
        if unknown:
            raise GeneratorUnavailable(
                f"There is no task “{unknown[0]}” to set a model for.",
                remedy=f"The tasks are {', '.join(t.value for t in Task)}.",
            )
        self._server = server
        self._setup = setup
        self._lock = threading.Lock()
        self._only: str | None = None
        self._contexts: dict[str, tuple[int, float]] = {}
        """What the server told for a model, and until when that counts."""
        self._refused: dict[str, int] = {}
        self._resting_until = 0.0
        self._count = lru_cache(REMEMBERED)(self._ask_count)
        self._pace = CountingPace()

    def model_for(self, task: Task) -> str:
        return self._setup.models.get(task.value) or self._setup.model or self._only_model()

    def models(self) -> dict[str, str]:
        """Return the models by task, and those for the other tasks under `default`."""
        named = dict(self._setup.models)
        if set(named) < {t.value for t in Task}:
            return {"default": self._setup.model or self._only_model(), **named}
        return named

    def context(self, model: str) -> int:
        """Return the context of a model. A refusal overrules the settings."""
        with self._lock:
            known = self._setup.context or self._told_context(model)
            return min(known, self._refused.get(model, known))

    def learn_context(self, model: str, told: int | None, *, refused: int) -> None:
        """Learn from a refusal of this many tokens, by our count, so that the next prompt fits.

        If the server did not tell its context, or the prompt should have fitted in, less is tried.
        """
        guess = max(LEAST_GUESSED, int(LESS * refused))
        learnt = told if told and told < refused else min(told or guess, guess)
        with self._lock:
            self._refused[model] = min(learnt, self._refused.get(model, learnt))

    def count(self, text: str) -> int:
        if not text:
            return 0
        if self._pace.slow:
            return self._pace.corrected(estimate(text))
        try:
            return self._count(text)
        except LookupError:
            return estimate(text)

    def count_prompt(self, messages: Sequence[Message]) -> int:
        told = self._query(lambda: self._server.count_prompt(messages, model=self._any_model()))
        return told or estimate_prompt(messages)

    def forget_model(self) -> None:
        """Forget the model, after the server no longer has the one that it listed."""
        with self._lock:
            self._only = None
            self._contexts.clear()
            self._refused.clear()

    def _ask_count(self, text: str) -> int:
        """Return the server's count, or raise: an estimate would be cached as if it were the server's."""
        begun = time.monotonic()
        told = self._query(lambda: self._server.count(text, model=self._any_model()))
        if told is None:
            raise LookupError(text[:40])
        self._pace.note(text, told, time.monotonic() - begun)
        return told

    def _told_context(self, model: str) -> int:
        tokens, until = self._contexts.get(model, (SAFE_CONTEXT, 0.0))
        if time.monotonic() > until:
            told = self._query(lambda: self._server.context(model) or ContextLength(SAFE_CONTEXT))
            if told is not None:
                tokens = told.tokens
                self._contexts[model] = tokens, math.inf if told.lasting else time.monotonic() + REST
        return tokens

    def _any_model(self) -> str:
        return next(iter(self.models().values()))

    def _only_model(self) -> str:
        if self._only is None:
            listed = told_in_log(lambda: self._server.models(patience=LOADING))
            bases = [m for m in listed if m.parent is None] or list(listed)
            if len(bases) != 1:
                plain = "It is not set which model of the model server writes."
                raise GeneratorUnavailable(_which(bases), plain=plain, remedy=MODEL_ADVICE)
            self._only = bases[0].id
        return self._only

    def _query(self, ask: Callable[[], Told | None]) -> Told | None:
        if time.monotonic() < self._resting_until:
            return None
        try:
            return ask()
        except (httpx2.HTTPError, OSError):
            self._resting_until = time.monotonic() + REST
            return None


def _which(listed: Sequence[ListedModel]) -> str:
    if not listed:
        return "The model server lists no model."
    names = ", ".join(m.id for m in listed[:8]) + (", …" if len(listed) > 8 else "")
    return f"The model server has {len(listed)} models, and none is chosen: {names}."
