"""Perplexity by position: what each stretch of a long text costs a model that has read all before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

BINS = 8
"""Stretches of equal length into which a window is divided."""


@dataclass(frozen=True, slots=True)
class PositionCurve:
    """The perplexity of a model on windows of one length."""

    length: int
    """Tokens of a window."""
    windows: int
    whole: float
    bins: tuple[float, ...]
    """By position: the first stretch of each window, the second, and so on."""


def windows_of(tokens: Sequence[int], length: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield stretches that do not overlap."""
    for first in range(0, min(len(tokens) - length + 1, most * length), length):
        yield tuple(tokens[first : first + length])


def curve(
    model: Any, tokens: Sequence[int], length: int, *, most: int = 8, bins: int = BINS
) -> PositionCurve | None:
    """Measure a causal model of `transformers`; None if the text is shorter than a window."""
    losses = [_losses(model, window) for window in windows_of(tokens, length, most)]
    if not losses:
        return None
    mean = torch.stack(losses).mean(0)
    parts = torch.tensor_split(mean, bins)
    return PositionCurve(
        length,
        len(losses),
        math.exp(float(mean.mean())),
        tuple(math.exp(float(part.mean())) for part in parts if len(part)),
    )


def _losses(model: Any, window: Sequence[int]) -> Tensor:
    """Return what each token but the first costs."""
    row = torch.tensor([window], device=next(model.parameters()).device)
    with torch.inference_mode():
        logits = model(input_ids=row, use_cache=False).logits[0, :-1].float()
    return cross_entropy(logits, row[0, 1:], reduction="none").cpu()
