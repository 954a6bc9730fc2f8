"""Checks the generators that use a language model. Weights are not loaded; servers are called."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from generation.errors import GeneratorUnavailable
from generation.models.types import LlamaSetup, OpenAISetup, WriterSetup
from service.health.checks import Check, Health, told

PATIENCE: Final = 3.0
"""Timeout of a server, in seconds."""
SHOWN: Final = 5
"""Maximum number of models of a server that are listed."""


def checks(writers: WriterSetup) -> dict[str, Callable[..., Check]]:
    """The checks by name of generator."""
    return {"llama": partial(check_llama, writers.llama), "openai": partial(check_openai, writers.openai)}


def check_llama(setup: LlamaSetup, *, needed: bool) -> Check:
    """Checks that base model, adapters, tokenizer and device are available and compatible."""
    check = partial(Check, "generator", "llama", needed=needed)
    if setup.base is None:
        return check(Health.MISSING, "not configured", "Set `BOOKWORM_LLAMA_BASE` to the folder of a model.")
    try:
        from generation.models.llama.loading import device_of
        from generation.models.llama.model import LlamaModel

        model = LlamaModel(setup)
        device = device_of(setup.device)
    except Exception as error:  # as for all engines
        return check(Health.MISSING, *told(error))
    tasks = ", ".join(sorted(setup.adapters)) or "none"
    return check(Health.WORKS, f"{setup.base} on {device}, {model.context:,} tokens, adapters: {tasks}")


def _what_is_near() -> tuple[str, str]:
    """Return what to do if no server is configured: there may be one on this machine."""
    from generation.models.openai.local_servers import find_models

    near = find_models()
    if not near:
        return "not configured", "Set `BOOKWORM_OPENAI_URL` to the URL of a server: see docs/models.md."
    more = f", and {len(near) - 1} more" if len(near) > 1 else ""
    return (
        f"not configured; this machine has {near[0].name}{more}",
        f"Run `bookworm models use {near[0].name}`.",
    )


def check_openai(setup: OpenAISetup, *, needed: bool) -> Check:
    """Checks that the server responds and has the configured models."""
    check = partial(Check, "generator", "openai", needed=needed)
    if setup.url is None:
        return check(Health.MISSING, *_what_is_near())
    try:
        from generation.models.openai.address import read_address
        from generation.models.openai.connection import ConnectionFactory
        from generation.models.openai.local_servers import USUAL_PORTS, LocalModel, context_of
        from generation.models.openai.server import Server
        from generation.models.openai.server_knowledge import ServerKnowledge

        address = read_address(setup.url, key=setup.key)
        server = Server(ConnectionFactory(address, timeout=PATIENCE), timeout=PATIENCE)
        served = [m.id for m in server.models()]
        writers = ServerKnowledge(server, setup).models()
    except Exception as error:
        return check(Health.MISSING, *told(error))
    known = ", ".join(served[:SHOWN]) + (f" and {len(served) - SHOWN} more" if len(served) > SHOWN else "")
    wanted = {name for name in (setup.model, *setup.models.values()) if name}
    lacking = sorted(name for name in wanted if name not in served and f"{name}:latest" not in served)
    if lacking and served:
        return check(
            Health.DEGRADED,
            f"{address.base} responds but does not list {', '.join(lacking)}; it has {known}",
            "Set `BOOKWORM_OPENAI_MODEL` to a model that the server has.",
            GeneratorUnavailable.code,
        )
    by = ", ".join(model if task == "default" else f"{model} ({task})" for task, model in writers.items())
    detail = f"{address.base} responds; {by} writes; models: {known or 'none listed'}"
    remedy = None
    if address.local and setup.context is None:
        model = next(iter(writers.values()))
        kind = USUAL_PORTS.get(urlsplit(address.base).port or 0, "configured")
        remedy = LocalModel(kind, address.base, model, context_of(model, server)).remedy
    return check(Health.DEGRADED if remedy else Health.WORKS, detail, remedy)
