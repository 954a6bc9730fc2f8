"""`openai`: any server with OpenAI's chat API, as a language model.

Which model answers depends on the task, like the LoRA modules of a vLLM. All requests of a `complete` run at
once, within a limit of parallel calls that holds over all threads. `server_faults.py` and `server_request.py`
decide what is retried, for how long, and what a server's failure means. `server.py` finds out what is known
about the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from generation.errors import GeneratorUnavailable, told_in_log
from generation.models.openai.address import read_address
from generation.models.openai.connection import ConnectionFactory
from generation.models.openai.parallel_calls import Job, Switch, together
from generation.models.openai.server import Server
from generation.models.openai.server_knowledge import ServerKnowledge
from generation.models.openai.server_request import FIRST_WAIT, ServerCaller, ServerReply
from generation.models.protocols import Listener
from generation.models.types import Completion, CompletionRequest, Message, OpenAISetup
from generation.types import Usage

VERSION = "openai/1"


class OpenAIModel:
    def __init__(self, setup: OpenAISetup, *, first_wait: float = FIRST_WAIT) -> None:
        """Create the model, offline. `first_wait` is the seconds before the first retry, doubled for each."""
        self._setup = setup
        self._address = read_address(setup.url, key=setup.key)
        doorway = ConnectionFactory(self._address, timeout=setup.timeout)
        self._knowledge = ServerKnowledge(Server(doorway, timeout=setup.timeout), setup)
        self._asker = ServerCaller(doorway, setup, self._knowledge, first_wait=first_wait)

    @property
    def name(self) -> str:
        """Return what the model's work is kept under. `for_readers` is what people are shown of it."""
        models = self._knowledge.models()
        several = len(set(models.values())) > 1
        shown = [f"{task}={model}" if several else model for task, model in sorted(models.items())]
        return f"{VERSION}:{','.join(dict.fromkeys(shown))}@{self._address.base}"

    @property
    def context(self) -> int:
        """Return the tokens for prompt and answer, without those for thinking, of the model with fewest."""
        models = set(self._knowledge.models().values())
        return min(self._knowledge.context(model) - self._asker.room(model) for model in models)

    def count_tokens(self, text: str) -> int:
        return self._knowledge.count(text)

    def count_prompt(self, messages: Sequence[Message]) -> int:
        return self._knowledge.count_prompt(messages)

    def complete(
        self, requests: Sequence[CompletionRequest], *, listener: Listener | None = None
    ) -> list[Completion]:
        jobs = [self._job(request, heard=listener is not None) for request in requests]
        try:
            hands = self._setup.concurrency
            return told_in_log(lambda: together(jobs, hands=hands, listener=listener))
        except GeneratorUnavailable:
            self._knowledge.forget_model()
            raise

    def _job(self, request: CompletionRequest, *, heard: bool) -> Job:
        model = self._knowledge.model_for(request.task)

        def job(switch: Switch, hear: Callable[[str], None]) -> Completion:
            asked = self._asker.ask(request, model=model, switch=switch, hear=hear if heard else None)
            return self._completion(request, asked)

        return job

    def _completion(self, request: CompletionRequest, asked: ServerReply) -> Completion:
        answers = (*asked.void, asked.answer)
        usage = Usage(
            prompt_tokens=sum(a.prompt_tokens or self.count_prompt(request.messages) for a in answers),
            completion_tokens=sum(a.completion_tokens or self.count_tokens(a.text) for a in answers),
            calls=asked.calls,
            seconds=asked.seconds,
        )
        return Completion(asked.answer.text, asked.answer.finish, usage, asked.answer.thought)
