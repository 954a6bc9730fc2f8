"""Choose the next token of each answer: the most likely, or one drawn at random by its request's seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class SamplingLimits:
    """The unlikely tokens that are never drawn, as the makers of a base recommend it."""

    top_p: float = 1.0
    """Share of the probability that the tokens to draw from have together, the most likely ones first."""
    top_k: int = 0
    """Maximum number of tokens to draw from; 0 for no maximum."""


EVERY_TOKEN = SamplingLimits()


def choose(
    logits: Tensor,
    *,
    temperatures: Sequence[float],
    draws: Sequence[float],
    limits: SamplingLimits = EVERY_TOKEN,
) -> list[int]:
    """Return one token for each row of `logits`. `draws` has a number from 0 to 1 for each row: the same
    number picks the same token whatever other rows there are. A temperature of 0 picks the most likely one.
    """
    if logits.device.type == "mps":
        logits = logits.cpu()  # an Apple GPU has no 64-bit numbers
    best = logits.argmax(-1)
    if not any(temperatures):
        return best.tolist()
    there = logits.device
    heat = torch.tensor([t or 1.0 for t in temperatures], dtype=torch.float64, device=there)
    upto = _limited((logits.double() / heat[:, None]).softmax(-1), limits).cumsum(-1)
    drawn = torch.tensor(draws, dtype=torch.float64, device=there)[:, None] * upto[:, -1:]
    picked = torch.searchsorted(upto, drawn, right=True).squeeze(1).clamp(max=logits.shape[-1] - 1)
    cold = torch.tensor([not t for t in temperatures], device=there)
    return torch.where(cold, best, picked).tolist()


def _limited(chances: Tensor, limits: SamplingLimits) -> Tensor:
    """Return the probabilities with those of the excluded tokens set to 0."""
    if limits == EVERY_TOKEN:
        return chances
    ordered, places = chances.sort(descending=True, stable=True)
    if limits.top_k:
        ordered[:, limits.top_k :] = 0.0
    before = ordered.cumsum(-1) - ordered
    excluded = before >= limits.top_p * ordered.sum(-1, keepdim=True)
    excluded[:, 0] = False
    return torch.zeros_like(chances).scatter(-1, places, ordered.masked_fill(excluded, 0.0))
