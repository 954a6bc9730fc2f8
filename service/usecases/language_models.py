"""The language models that can write here: list them, try one, and choose which one writes by default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from time import perf_counter
from typing import Final

from books.errors import BookwormError
from generation.errors import ContextUnsupported
from generation.models.openai.local_servers import LocalModel, find_models, models_at, named, with_context
from generation.models.types import CompletionRequest, Message, MessageRole, OpenAISetup
from generation.registry import make_model
from generation.types import Task
from service.default_generator import LLAMA, OFFLINE, OPENAI
from service.engines import Engines
from service.errors import ModelUnknown

CONFIGURED: Final = "configured"
"""Stands for the server in the settings in the names of its models."""
_MOST: Final = 200
"""Most models of the server in the settings: some list thousands."""
_PATIENCE: Final = 10.0
"""Seconds: the server may be far away."""
_PROMPT: Final = "Answer with one short sentence: what is a novel?"
_ANSWER_TOKENS: Final = 512
"""Enough for a model that thinks first."""


@dataclass(frozen=True, slots=True)
class ModelTrial:
    text: str
    seconds: float
    """Until the whole answer was there, with the loading of the model."""


def available(engines: Engines) -> list[LocalModel]:
    """Return the models of the servers on this machine, and of the one in the settings.

    One that was not here before is used at once, if none is set or chosen.
    """
    local = find_models(own=engines.rule.own_port)
    engines.rule.note(next(iter(local), None))
    urls = {each.url for each in local}
    return [*local, *(each for each in _configured(engines) if each.url not in urls)]


def choose(engines: Engines, name: str | None, *, context: int | None = None) -> None:
    """Let this model write from now on. None: go by what is there. `offline` and `llama` are names, too."""
    if name is not None and name not in (OFFLINE, LLAMA):
        choose_model(engines, name, context=context)
        return
    if context is not None:
        raise ContextUnsupported("Only Ollama can be asked for a context, and no model of it is named.")
    engines.rule.choose(name)


def choose_model(engines: Engines, name: str, *, context: int | None = None) -> LocalModel:
    """Let a model of a server write from now on, with a context a variant of it, and return it."""
    engines.rule.refuse_if_fixed()
    model = find(engines, name)
    if context is not None:
        model = with_context(model, context)
    engines.rule.choose(OPENAI, url=model.url, model=model.model)
    return model


def find(engines: Engines, name: str) -> LocalModel:
    model = named(name, chain(find_models(own=engines.rule.own_port), _configured(engines)))
    if model is None:
        raise ModelUnknown(f"No server here has a model “{name}”.")
    return model


def try_out(engines: Engines, name: str) -> ModelTrial:
    """Return one sentence by a model."""
    model, setup = find(engines, name), engines.settings.writers
    writer = make_model(OPENAI, setup=replace(setup, openai=_server(setup.openai, model)))
    start = perf_counter()
    request = CompletionRequest(
        messages=(Message(MessageRole.USER, _PROMPT),),
        max_tokens=_ANSWER_TOKENS,
        task=Task.DESCRIPTION,
        temperature=0.0,
    )
    (said,) = writer.complete([request])
    return ModelTrial(said.text.strip(), perf_counter() - start)


def _server(setup: OpenAISetup, model: LocalModel) -> OpenAISetup:
    """Return the setup for a model. The key belongs to the server in the settings alone."""
    key = setup.key if model.url == setup.url else None
    return replace(setup, url=model.url, model=model.model, models={}, key=key, context=None, attempts=1)


def _configured(engines: Engines) -> Iterator[LocalModel]:
    setup = engines.settings.writers.openai
    if setup.url is None:
        return
    try:
        found = models_at(CONFIGURED, setup.url, key=setup.key, patience=_PATIENCE)
        yield from islice(found, _MOST)
    except BookwormError:
        return
