"""Prefill, decode and whole descriptions, through `LlamaModel` and its scheduler.

`Writer` is left out: it would reject the output of random weights, and ask again. Its share of the work on a
description is filling in a template.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from benchmarks import timing
from benchmarks.llm_roofline import Roofline, least, settled
from benchmarks.llm_shapes import ADAPTER, RandomLlama, Shape, slots_for
from coref.native.precision import fastest
from generation.models.llama import loaded_model
from generation.models.llama.cache_slots import SlotCache
from generation.models.llama.network import LlamaNetwork
from generation.models.llama.recording import STEADY
from generation.models.types import CompletionRequest

BEFORE = STEADY + 1
"""Steps before those that are timed; the last of them is recorded."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One prompt."""

    lora: bool
    tokens: int
    seconds: float
    tokens_per_second: float
    roofline: float
    """Tokens per second if only the multiplications took time."""
    reached: float
    """Percent of the roofline."""
    peak_gib: float


@dataclass(frozen=True, slots=True)
class Stepping:
    """One more token for each row, at the end of full prompts."""

    lora: bool
    rows: int
    seconds: float
    tokens_per_second: float
    roofline: float
    """Tokens per second if only reading the weights and the cache took time."""
    reached: float
    peak_gib: float


@dataclass(frozen=True, slots=True)
class Describing:
    """Simultaneous requests, from the first token read to the last one written."""

    lora: bool
    requests: int
    slots: int
    """Answers generated in parallel: as many as fit in memory."""
    seconds: float
    seconds_each: float
    written: int
    """Tokens in total."""
    peak_gib: float


def read(shape: Shape, model: Any, roofline: Roofline, device: str, *, lora: bool) -> Reading:
    network = _network(model, device, rows=1, lora=lora)
    ids = [at % shape.vocabulary for at in range(shape.prompt)]
    _forget_peak(device)

    def anew() -> None:
        network.forget()  # the same prompt again would not be read
        network.read(ids)

    seconds = least(anew, device, runs=3)
    most = roofline.multiplying / shape.work(shape.prompt) * shape.prompt
    rate = shape.prompt / seconds
    return Reading(
        lora, shape.prompt, round(seconds, 4), round(rate), round(most), _percent(rate, most), peak(device)
    )


def step(
    shape: Shape,
    model: Any,
    roofline: Roofline,
    device: str,
    *,
    rows: int,
    lora: bool,
    bits: int = 16,
    steps: int = 20,
) -> Stepping:
    rows = slots_for(shape, rows, device)
    network = _network(model, device, rows=rows, lora=lora)
    slots = SlotCache(network.layers)
    _forget_peak(device)
    made = network.read([at % shape.vocabulary for at in range(shape.prompt)])
    assert made is not None
    for _ in range(rows):
        slots.admit(made[1], rows=rows, room=shape.prompt + steps + BEFORE)
    seconds = _seconds_a_step(network, slots, device, rows=rows, steps=steps)
    size = fastest(torch.device(device).type).itemsize
    most = roofline.moving / shape.moved(rows, shape.prompt + steps // 2, size=size, bits=bits) * rows
    result = Stepping(
        lora,
        rows,
        round(seconds, 5),
        round(rows / seconds, 1),
        round(most, 1),
        _percent(rows / seconds, most),
        peak(device),
    )
    slots.clear()
    return result


def describe(
    shape: Shape, folder: Path, model: Any, device: str, *, asked: Sequence[CompletionRequest], lora: bool
) -> Describing:
    requests = len(asked)
    slots = slots_for(shape, requests, device)
    writer = RandomLlama(shape, folder, model, device=device, batch=slots, lora=lora)
    writer.load()
    _forget_peak(device)
    started = time.perf_counter()
    completions = writer.complete(asked)
    seconds = time.perf_counter() - started
    written = sum(completion.usage.completion_tokens for completion in completions)
    loaded_model.unload()
    return Describing(
        lora, requests, slots, round(seconds, 3), round(seconds / requests, 3), written, peak(device)
    )


def everything(
    shape: Shape, folder: Path, model: Any, roofline: Roofline, device: str, *, bits: int = 16
) -> Iterator[Reading | Stepping | Describing]:
    for lora in (False, True):
        yield read(shape, model, roofline, device, lora=lora)
        for rows in shape.batches:
            yield step(shape, model, roofline, device, rows=rows, lora=lora, bits=bits)
    some = RandomLlama(shape, folder, model, device=device, batch=1, lora=False)
    asked = [some.request(tokens=shape.answer, seed=at) for at in range(max(shape.batches))]
    for lora in (False, True):
        for requests in shape.batches:
            yield describe(shape, folder, model, device, asked=asked[:requests], lora=lora)


def told(what: object) -> None:
    print(what, file=sys.stderr, flush=True)


def peak(device: str) -> float:
    """Return the peak in GiB: of the device since the last reset, or of this process so far."""
    if device == "cpu":
        return round(timing.peak_mib() / 1024, 2)
    return round(torch.cuda.max_memory_allocated(device) / 2**30, 2)


def _network(model: Any, device: str, *, rows: int, lora: bool) -> LlamaNetwork:
    network = LlamaNetwork(model, device=device, rows=rows)
    network.select(ADAPTER if lora else None)
    return network


def _seconds_a_step(network: LlamaNetwork, slots: SlotCache, device: str, *, rows: int, steps: int) -> float:
    """Time steps as in the scheduler, with the next tokens copied back each time."""
    tokens = [7] * rows
    for _ in range(BEFORE):
        network.step(tokens, slots)
    settled(device)
    started = time.perf_counter()
    for _ in range(steps):
        tokens = network.step(tokens, slots).argmax(-1).tolist()
    return (time.perf_counter() - started) / steps


def _forget_peak(device: str) -> None:
    if device != "cpu":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1)
