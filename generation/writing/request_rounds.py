"""Write an answer in rounds: it yields its next requests, and goes on when the model has answered them.

The budget, the cost and the audience are handled here for all strategies alike.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from generation.errors import BudgetExceeded, DraftRejected, WritingCancelled
from generation.models.protocols import LanguageModel, Notebook
from generation.models.thinking import SpokenPiece, ThinkingSplitter, spoken
from generation.models.types import Completion, CompletionRequest
from generation.protocols import Audience
from generation.types import AnswerLimits, Draft, Plan, Usage
from generation.writing.kept_requests import KeptRequests, Usable, key_of
from generation.writing.modelless import tell

THOUGHT_ALOUD = "What was shown so far is what the model thought before its answer."


@dataclass(frozen=True, slots=True)
class RequestRound:
    requests: tuple[CompletionRequest, ...]
    usable: tuple[Usable, ...]
    """For each request, what of its completion can be used."""
    heard: bool = True
    """Whether the texts are the answer itself, and not notes for it."""
    again: str | None = None
    """Why the text streamed so far is void."""
    step: tuple[int, int] | None = None
    """How many of the texts that lead to the answer are written before it, and how many there are."""
    instead: tuple[CompletionRequest, ...] = ()
    """The requests that these repeat, because their answers were not fit."""


Made = TypeVar("Made")
Steps = Generator[RequestRound, list[Completion], Made]
Work = Steps[Draft]
"""One answer being written."""


def run(
    work: Work,
    *,
    model: LanguageModel,
    limits: AnswerLimits,
    audience: Audience | None = None,
    notebook: Notebook | None = None,
) -> Draft:
    """Return the draft with its cost.

    Requests that the notebook has are not made. The others are written into it as they are answered.
    """
    asker = _Asker(model, limits, audience, notebook)
    completions: list[Completion] | None = None
    while True:
        try:
            round_ = next(work) if completions is None else work.send(completions)
        except DraftRejected as rejection:
            rejection.usage = asker.usage
            raise
        except StopIteration as done:
            draft: Draft = replace(done.value, usage=asker.usage, kept=asker.kept)
            if not asker.told:
                tell(audience, draft)
            return draft
        completions = asker.ask(round_)


def remaining(planned: Plan, work: Work, *, model: LanguageModel, notebook: Notebook) -> Plan:
    """Return what is left of a plan after the texts that the notebook has, as far as it leads."""
    done = Plan()
    try:
        round_ = next(work)
        while True:
            found = [notebook.get(key_of(model.name, request)) for request in round_.requests]
            for request, kept in zip(round_.requests, found, strict=True):
                if kept is not None:
                    done += Plan(1, model.count_prompt(request.messages), request.max_tokens, kept.usage)
            texts = [kept for kept in found if kept is not None]
            if len(texts) < len(found):
                return planned.less(done)
            round_ = work.send(texts)
    except StopIteration:
        return Plan(kept=done.kept)
    except DraftRejected:
        return planned.less(done)


@dataclass(slots=True)
class _Asker:
    model: LanguageModel
    limits: AnswerLimits
    audience: Audience | None
    notebook: Notebook | None
    told: bool = False
    """Whether the text last streamed is the answer."""
    usage: Usage = field(default_factory=Usage)
    kept: Usage = field(default_factory=Usage)

    def ask(self, round_: RequestRound) -> list[Completion]:
        ear = self._listen(round_)
        completions = self._completed(round_, ear)
        if ear is not None:
            ear.hear_out(completions)
        for completion in completions:
            if completion.kept:
                self.kept += completion.usage
            else:
                self.usage += completion.usage
        return completions

    def _completed(self, round_: RequestRound, ear: _Ear | None) -> list[Completion]:
        if self.notebook is None:
            self._afford(round_.requests)
            return self.model.complete(round_.requests, listener=ear)
        kept = KeptRequests(
            self.model.name,
            round_.requests,
            self.notebook,
            self.audience,
            usable=round_.usable,
            instead=round_.instead or round_.requests,
            step=round_.step,
        )
        self._afford(kept.rest)
        if kept.rest:
            kept.listener = ear if len(round_.requests) == 1 else None
            self.model.complete(kept.rest, listener=kept)
        return kept.completions()

    def _afford(self, requests: Sequence[CompletionRequest]) -> None:
        if self.limits.tokens is None:
            return
        spent = self.limits.spent + self.usage.tokens
        wanted = sum(self.model.count_prompt(r.messages) + r.max_tokens for r in requests)
        if spent + wanted > self.limits.tokens:
            raise BudgetExceeded(
                f"The next {_calls(len(requests))} may take {wanted:,} tokens, and of the"
                f" {self.limits.tokens:,} allowed {max(0, self.limits.tokens - spent):,} are left."
            )

    def _listen(self, round_: RequestRound) -> _Ear | None:
        if self.audience is None:
            return None
        if self.audience.gone():
            raise WritingCancelled
        self.told = round_.heard
        if round_.again is not None:
            self.audience.again(round_.again)
        return _Ear(self.audience, len(round_.requests) if round_.heard else 0)


class _Ear:
    """Streams the first text of a round to the audience as it is written, and the others whole, in order."""

    def __init__(self, audience: Audience, heard: int) -> None:
        self._audience = audience
        self._heard = heard
        self._live = False
        self._splitter = ThinkingSplitter()

    def hear(self, request: int, piece: str) -> None:
        if request == 0 and self._heard:
            self._tell(self._splitter.hear(piece))

    def _tell(self, piece: SpokenPiece) -> None:
        if piece.void and self._live:
            self._audience.again(THOUGHT_ALOUD)
        if piece.thinking:
            self._audience.think()
        if piece.text:
            self._live = True
            self._audience.hear(piece.text)

    def gone(self) -> bool:
        return self._audience.gone()

    def done(self, request: int, completion: Completion) -> None:
        """The whole texts are streamed together, in order, when all are there."""

    def hear_out(self, completions: Sequence[Completion]) -> None:
        """Stream the texts not streamed while written: all but the first, and that too if it was not."""
        self._tell(self._splitter.hear("", last=True))
        for at, completion in enumerate(completions[: self._heard]):
            if at or not self._live:
                text = spoken(completion.text)
                self._audience.hear(f"\n\n{text}" if at else text)


def _calls(number: int) -> str:
    return "call" if number == 1 else f"{number} calls"
