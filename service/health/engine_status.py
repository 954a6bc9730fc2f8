"""The engines in use, and whether they work now.

The engines of this process are checked, so none is created twice. Weights of large models are not loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from generation.registry import GENERATORS
from service.engines import Engines
from service.health.checks import Check, Health
from service.health.doctor import check_engine, check_retriever
from service.health.generators import checks
from service.services import Services
from service.usecases.answers import FALLBACK


@dataclass(frozen=True, slots=True)
class Condition:
    check: Check
    in_use: bool
    """False for engines that are configured in addition and can be requested by name."""
    stands_in: str | None = None
    """The engine that is used if its result is rejected."""


def conditions(services: Services) -> tuple[Condition, ...]:
    settings, engines = services.settings, services.engines
    needed = partial(check_engine, needed=True)
    embedder = needed("embedder", settings.embedder, lambda: engines.embedder)
    (finding, finder), (judging, judged_by) = engines.checkers()
    extractor = needed("extractor", finding, lambda: engines.extractor)
    judge = needed("judge", judging, lambda: engines.judge)
    return (
        Condition(needed("resolver", settings.resolver, lambda: engines.resolver), in_use=True),
        Condition(embedder, in_use=True),
        Condition(_retriever(settings.retriever, embedder), in_use=True),
        *_generators(services),
        Condition(_asking(services, extractor, finder), in_use=True),
        Condition(_asking(services, judge, judged_by), in_use=True),
    )


def _retriever(name: str, embedder: Check) -> Check:
    check = check_retriever(name)
    if check.health is not Health.WORKS or embedder.health is Health.WORKS:
        return check
    detail = f"uses the embedder: {embedder.detail}"
    return replace(check, health=embedder.health, detail=detail, remedy=embedder.remedy)


def _generators(services: Services) -> list[Condition]:
    """The default generator, and the other language models that are configured."""
    default = services.engines.default.name
    names = [default, *(name for name in set_up(services.engines) if name != default)]
    return [
        Condition(
            _generator(services, name, needed=name == default),
            in_use=name == default,
            stands_in=FALLBACK if name != FALLBACK and services.settings.offline_fallback else None,
        )
        for name in names
    ]


def set_up(engines: Engines) -> list[str]:
    """The generators with a language model that are configured, or that were found on this machine."""
    writers = engines.rule.writers()
    there = {"llama": writers.llama.base is not None, "openai": writers.openai.url is not None}
    return [name for name, is_there in there.items() if is_there]


def _generator(services: Services, name: str, *, needed: bool) -> Check:
    special = checks(services.engines.rule.writers())
    if name in special and name in GENERATORS:
        return special[name](needed=needed)
    return check_engine("generator", name, lambda: services.engines.generator(name), needed=needed)


def _asking(services: Services, check: Check, model: str) -> Check:
    """An engine that uses a language model has at best the health of that model."""
    special = checks(services.engines.rule.writers())
    if check.name != "llm" or check.health is not Health.WORKS or model not in special:
        return check
    asked = special[model](needed=True)
    return replace(check, health=asked.health, detail=f"uses {model}: {asked.detail}", remedy=asked.remedy)
