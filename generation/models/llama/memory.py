"""Reckon how many answers of which length fit into memory beside a model, before anything is loaded."""

from __future__ import annotations

import math
import os
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from generation.errors import GeneratorUnavailable
from generation.models.llama.quantisation import stored

GB = 10**9
MOST = 32_768
"""Most tokens of context if none are asked for. Longer prompts are read slowly and used badly."""
ENOUGH = 8_192
"""Most tokens of context for which answers that are written together are given up."""
LEAST = 2_048
STEP = 256
MEMINFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Memory in bytes."""

    weights: int
    each: int
    """Cache of one answer's prompt and text at full length."""
    working: int
    """Temporary memory of one step."""


@dataclass(frozen=True, slots=True)
class Capacity:
    batch: int
    """Answers that are written together."""
    context: int


def need(
    config: Any, weights: int, *, context: int, chunk: int, batch: int, size: int, bits: int = 16
) -> MemoryNeed:
    """Estimate the memory. `config` is the model's own, and `size` is the bytes of each of its `weights`.

    In fewer `bits` than 16 only its linear layers are smaller.
    """
    heads = config.num_attention_heads
    deep = getattr(config, "head_dim", None) or config.hidden_size // heads
    pairs = 2 * config.num_hidden_layers * (getattr(config, "num_key_value_heads", None) or heads) * deep
    inner = min(chunk, context) * (4 * config.intermediate_size + 8 * config.hidden_size) * size
    if (
        context > chunk
    ):  # a later part of a prompt: with a mask, and a copy of the keys and values for each head
        inner += chunk * context * (1 + size) + 2 * context * heads * deep * size
    chances = batch * config.vocab_size * 24  # float64, three times, to sample the next token
    return MemoryNeed(stored(weights, config, bits=bits, size=size), context * pairs * size, inner + chances)


def numbers(files: Iterable[Path]) -> int:
    """Return how many numbers weight files hold, read from their headers."""
    total = 0
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                total += sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise GeneratorUnavailable(
                f"“{path}” is damaged: {error}.", remedy="Copy the model again."
            ) from error
    return total


def free(device: str) -> int:
    """Return the free memory of the device: for main memory what the system or the container has left."""
    if device == "mps":
        return int(torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory())
    if device != "cpu":
        return int(torch.cuda.mem_get_info(device)[0])
    if not MEMINFO.is_file():
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    left = _words(MEMINFO)["MemAvailable:"] * 1024
    try:
        limit = int((GROUP / "memory.max").read_text("ascii"))
        taken = int((GROUP / "memory.current").read_text("ascii"))
        left = min(left, limit - taken + _words(GROUP / "memory.stat")["inactive_file"])
    except (OSError, ValueError, KeyError):  # no container, or one without a limit
        pass
    return left


def _words(path: Path) -> dict[str, int]:
    """Read a file of lines with a word and a number."""
    lines = (line.split() for line in path.read_text("ascii").splitlines())
    return {line[0]: int(line[1]) for line in lines if len(line) > 1}


def fit(
    needed: Callable[[int, int], MemoryNeed],
    *,
    batch: int,
    context: int,
    asked: bool,
    device: str,
    available: int,
    enough: int | None = None,
) -> Capacity:
    """Return how many answers of which context fit, at most these.

    `needed` estimates the memory for a batch and a context. Answers are given up first, down to one, for a
    context that is `enough`; then the context, if nobody `asked` for it. There must be memory for one answer
    more than the batch: it is read separately before it joins the others.
    """
    least = context if asked else min(context, ENOUGH, enough or ENOUGH)
    for rows in range(batch, 0, -1):
        fits = _longest(needed, rows, context, available)
        if fits >= least:
            return Capacity(rows, fits)
    fits = 0 if asked else _longest(needed, 1, least, available)
    if fits < min(LEAST, context):
        raise _too_small(needed(1, least), context=least, device=device, available=available)
    return Capacity(1, fits)


def _longest(needed: Callable[[int, int], MemoryNeed], batch: int, context: int, available: int) -> int:
    """Return the longest context that fits, in steps; 0 if none does."""

    def whole(tokens: int) -> int:
        wanted = needed(batch, tokens)
        return wanted.weights + wanted.working + (batch + 1) * wanted.each

    if whole(context) <= available:
        return context
    steps = range(0, context, STEP)
    return steps[max(0, bisect_right(steps, available, key=whole) - 1)] if whole(STEP) <= available else 0


def _too_small(wanted: MemoryNeed, *, context: int, device: str, available: int) -> GeneratorUnavailable:
    where = "of memory" if device == "cpu" else f"on {device}"
    whole = wanted.weights + wanted.working + 2 * wanted.each
    return GeneratorUnavailable(
        f"{whole / GB:.1f} GB {where} are needed, and {available / GB:.1f} GB are free: "
        f"{wanted.weights / GB:.1f} GB for the weights, "
        f"and {wanted.each / GB:.2f} GB for an answer of {context:,} tokens.",
        remedy="Use a smaller base model, or a machine with more memory, or a server (`openai`).",
    )
