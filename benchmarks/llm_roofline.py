"""The peak performance of the device: multiplications per second, and bytes to and from its memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from coref.native.precision import fastest


@dataclass(frozen=True, slots=True)
class Roofline:
    multiplying: float
    """Floating-point operations per second, of a large matrix product in Bookworm's precision."""
    moving: float
    """Bytes read and written per second, of a large copy."""


def measure(device: str, *, side: int, size: int, runs: int = 10) -> Roofline:
    """Measure the device, with square matrices of `side` and a copy of `size` bytes."""
    dtype = fastest(torch.device(device).type)
    left, right = (torch.randn(side, side, device=device, dtype=torch.float32).to(dtype) for _ in range(2))
    product = torch.empty_like(left)
    source = torch.ones(size, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    multiplied = least(lambda: torch.mm(left, right, out=product), device, runs=runs)
    moved = least(lambda: target.copy_(source), device, runs=runs)
    return Roofline(2 * side**3 / multiplied, 2 * size / moved)


def least(work: Callable[[], object], device: str, *, runs: int) -> float:
    """Return the seconds of the fastest run, after a warm-up."""
    best = float("inf")
    for at in range(runs + 1):
        settled(device)
        started = time.perf_counter()
        work()
        settled(device)
        if at:
            best = min(best, time.perf_counter() - started)
    return best


def settled(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize(device)
