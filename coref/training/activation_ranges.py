"""Measures what the linear layers of an encoder receive, so that they can be run in 8 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from coref.native.eight_bits import LEVELS, LINEAR, ActivationRange, Ranges
from coref.native.encoder import Encoder

_MOVED = 0.85
"""How much of the difference between features goes into the factors: 0 is none, 1 all of it.

The rest stays in the activations. From 0.7 to 0.95 the error on windows of another novel was about the same.
"""
_LARGE = {"up": 4, "down": 4}
"""Number of features that stay in 32 bits. The error is a third of that with none, at a tenth of the speed.

More of them, or some in the other layers, gain less than they cost.
"""
_SMALLEST_INPUT, _SMALLEST_WEIGHT = 1e-3, 1e-5

Watch = Callable[[str, Tensor], None]


def measure_ranges(encoder: Encoder, windows: Sequence[Tensor]) -> Ranges:
    """Return the ranges for all linear layers, from batches of windows without padding."""
    largest: dict[str, Tensor] = {}
    sums: dict[str, Tensor] = {}
    rows = sum(each.numel() for each in windows)

    def look(name: str, given: Tensor) -> None:
        flat = given.reshape(-1, given.shape[-1])
        most = flat.abs().amax(0)
        largest[name] = torch.maximum(largest.get(name, most), most)
        sums[name] = sums.get(name, torch.zeros_like(most)) + flat.sum(0)

    _run(encoder, windows, look)
    layers = dict(_linear_layers(encoder))
    large = {name: _large(name, most) for name, most in largest.items()}
    factors = {name: _factors(largest[name], layers[name].weight, large[name]) for name in layers}
    lows: dict[str, list[Tensor]] = {name: [] for name in layers}
    highs: dict[str, list[Tensor]] = {name: [] for name in layers}

    def look_again(name: str, given: Tensor) -> None:
        divided = (given / factors[name]).index_fill(-1, large[name], 0).flatten(1)
        lows[name].append(divided.amin(1))
        highs[name].append(divided.amax(1))

    _run(encoder, windows, look_again)
    return {
        name: ActivationRange(
            factors[name].numpy().astype(np.float32),
            (sums[name] / rows).numpy().astype(np.float32),
            large[name].numpy(),
            *_with_zero(float(torch.cat(lows[name]).min()), float(torch.cat(highs[name]).max())),
        )
        for name in layers
    }


def _large(name: str, most: Tensor) -> Tensor:
    return most.topk(_LARGE.get(name.rpartition(".")[2], 0)).indices.sort().values


def _with_zero(low: float, high: float) -> tuple[float, float]:
    """Move a range by less than a step, so that 0 is one of its steps."""
    step = (high - low) / (LEVELS - 1)
    zero = round(-low / step)
    return -zero * step, (LEVELS - 1 - zero) * step


def _factors(most: Tensor, weight: Tensor, large: Tensor) -> Tensor:
    inputs = most.index_fill(0, large, 0).clamp(min=_SMALLEST_INPUT) ** _MOVED
    weights = weight.detach().abs().amax(0).clamp(min=_SMALLEST_WEIGHT) ** (1 - _MOVED)
    factors = inputs / weights
    return factors / factors.mean()


def _run(encoder: Encoder, windows: Sequence[Tensor], look: Watch) -> None:
    with torch.no_grad(), _watched(encoder, look):
        for each in windows:
            encoder(each, torch.ones_like(each, dtype=torch.bool))


@contextmanager
def _watched(encoder: Encoder, look: Watch) -> Iterator[None]:
    def watch(name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        return lambda _, given: look(name, given[0])

    hooks = [layer.register_forward_pre_hook(watch(name)) for name, layer in _linear_layers(encoder)]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _linear_layers(encoder: Encoder) -> Iterator[tuple[str, nn.Linear]]:
    for number, layer in enumerate(encoder.layers):
        for name in LINEAR:
            yield f"{number}.{name}", getattr(layer, name)
