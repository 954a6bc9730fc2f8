"""Write many answers in parallel: each yields its next requests, and all are sent in one call.

An answer is a generator that yields rounds and receives their completions. A strategy is written as if it
were alone, and yet the requests of a hundred prompts go to the model together. The budget, the cost and the
audience are handled here for all strategies alike.
"""

from __future__ import annotations

from collections import defaultdict
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
    works: Sequence[Work],
    *,
    model: LanguageModel,
    limits: AnswerLimits,
    audience: Audience | None = None,
    notebook: Notebook | None = None,
) -> list[Draft]:
    """Return the drafts in order, each with its cost. The audience receives the first one.

    Requests that the notebook has are not made. The others are written into it as they are answered.
    """
    table = _Table(works, model, limits, audience, notebook)
    for at in range(len(works)):
        table.go_on(at, None)
    while table.waiting:
        table.ask()
    return [table.drafts[at] for at in range(len(works))]


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
class _Table:
    works: Sequence[Work]
    model: LanguageModel
    limits: AnswerLimits
    audience: Audience | None
    notebook: Notebook | None
    told: bool = False
    """Whether the text last streamed is the answer."""
    usage: dict[int, Usage] = field(default_factory=lambda: defaultdict(Usage))
    kept: dict[int, Usage] = field(default_factory=lambda: defaultdict(Usage))
    waiting: dict[int, RequestRound] = field(default_factory=dict)
    drafts: dict[int, Draft] = field(default_factory=dict)

    def go_on(self, at: int, completions: list[Completion] | None) -> None:
        """Continue an answer until its next request, or its end."""
        self.waiting.pop(at, None)
        try:
            work = self.works[at]
            self.waiting[at] = next(work) if completions is None else work.send(completions)
        except DraftRejected as rejection:
            # The other drafts are lost with it, but their tokens are spent all the same.
            rejection.usage = sum(self.usage.values(), Usage())
            raise
        except StopIteration as done:
            self.drafts[at] = replace(done.value, usage=self.usage[at], kept=self.kept[at])
            if at == 0 and not self.told:
                tell(self.audience, [self.drafts[at]])

    def ask(self) -> None:
        rounds = dict(sorted(self.waiting.items()))
        requests = [request for round_ in rounds.values() for request in round_.requests]
        ear = self._listen(rounds)
        completions = self._completed(requests, ear, rounds)
        if ear is not None:
            ear.hear_out(completions)
        taken = 0
        for at, round_ in rounds.items():
            mine = completions[taken : taken + len(round_.requests)]
            taken += len(mine)
            for completion in mine:
                (self.kept if completion.kept else self.usage)[at] += completion.usage
            self.go_on(at, mine)

    def _completed(
        self,
        requests: Sequence[CompletionRequest],
        ear: _Ear | None,
        rounds: dict[int, RequestRound],
    ) -> list[Completion]:
        if self.notebook is None:
            self._afford(requests)
            return self.model.complete(requests, listener=ear)
        kept = KeptRequests(
            self.model.name,
            requests,
            self.notebook,
            self.audience,
            usable=[usable for round_ in rounds.values() for usable in round_.usable],
            instead=[request for round_ in rounds.values() for request in round_.instead or round_.requests],
            step=rounds[0].step if 0 in rounds else None,
        )
        self._afford(kept.rest)
        if kept.rest:
            kept.listener = ear if len(requests) == 1 else None
            self.model.complete(kept.rest, listener=kept)
        return kept.completions()

    def _afford(self, requests: Sequence[CompletionRequest]) -> None:
        if self.limits.tokens is None:
            return
        spent = self.limits.spent + sum(usage.tokens for usage in self.usage.values())
        wanted = sum(self.model.count_prompt(r.messages) + r.max_tokens for r in requests)
        if spent + wanted > self.limits.tokens:
            raise BudgetExceeded(
                f"The next {_calls(len(requests))} may take {wanted:,} tokens, and of the"
                f" {self.limits.tokens:,} allowed {max(0, self.limits.tokens - spent):,} are left."
            )

    def _listen(self, rounds: dict[int, RequestRound]) -> _Ear | None:
        if self.audience is None:
            return None
        if self.audience.gone():
            raise WritingCancelled("The answer was cancelled: nobody is waiting for it.")
        first = rounds.get(0)
        if first is not None:
            self.told = first.heard
            if first.again is not None:
                self.audience.again(first.again)
        return _Ear(self.audience, len(first.requests) if first is not None and first.heard else 0)


class _Ear:
    """Streams the first answer to the audience as it is written, and the ones after it whole, in order."""

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
