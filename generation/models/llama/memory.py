"""Check whether a model and the cache of its answers fit into memory, before anything is loaded."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from generation.errors import GeneratorUnavailable

GB = 10**9
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


def need(
    config: Any, weights: Iterable[Path], *, context: int, chunk: int, batch: int, size: int
) -> MemoryNeed:
    """Estimate the memory. `config` is the model's own, and `size` is the bytes of a number."""
    heads = config.num_attention_heads
    deep = getattr(config, "head_dim", None) or config.hidden_size // heads
    pairs = 2 * config.num_hidden_layers * (getattr(config, "num_key_value_heads", None) or heads) * deep
    inner = min(chunk, context) * (4 * config.intermediate_size + 8 * config.hidden_size) * size
    if (
        context > chunk
    ):  # a later part of a prompt: with a mask, and a copy of the keys and values for each head
        inner += chunk * context * (1 + size) + 2 * context * heads * deep * size
    chances = batch * config.vocab_size * 24  # float64, three times, to sample the next token
    return MemoryNeed(numbers(weights) * size, context * pairs * size, inner + chances)


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
    """Return the free memory of the device. For main memory it is what the system or the container has left,
    or all of it if neither says.
    """
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


def check(wanted: MemoryNeed, *, batch: int, context: int, device: str, available: int) -> None:
    """Check the memory for one answer more than the batch: it is read separately before it joins
    the others.
    """
    fixed = wanted.weights + wanted.working
    whole = fixed + (batch + 1) * wanted.each
    if whole <= available:
        return
    where = "of memory" if device == "cpu" else f"on {device}"
    detail = (
        f"{whole / GB:.1f} GB {where} are needed, and {available / GB:.1f} GB are free: "
        f"{wanted.weights / GB:.1f} GB for the weights, "
        f"and {wanted.each / GB:.2f} GB for each of {batch} answers of {context:,} tokens."
    )
    raise GeneratorUnavailable(
        detail, remedy=_remedy(available - fixed, wanted.each, batch=batch, context=context)
    )


def _remedy(left: int, each: int, *, batch: int, context: int) -> str:
    if left <= 0:
        return "Use a smaller base model, or a machine with more memory, or a server (`openai`)."
    fits = math.floor(left / (batch + 1) / (each / context) / 256) * 256
    fewer = math.floor(left / each) - 1
    ways = [f"a context of {fits:,} tokens (BOOKWORM_LLAMA_CONTEXT)"] if fits >= 1024 else []
    ways += [f"a batch of {fewer} (BOOKWORM_LLAMA_BATCH)"] if fewer >= 1 else []
    return f"Set {' or '.join(ways)}: that fits." if ways else "Use a smaller base model, context and batch."
