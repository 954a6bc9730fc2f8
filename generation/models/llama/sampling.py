"""Choose the next token of each answer: the most likely, or one drawn at random by its request's seed."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def choose(logits: Tensor, *, temperatures: Sequence[float], draws: Sequence[float]) -> list[int]:
    """Return one token for each row of `logits`. `draws` has a number from 0 to 1 for each row: the same
    number picks the same token whatever other rows there are. A temperature of 0 picks the most likely one.
    """
    best = logits.argmax(-1)
    if not any(temperatures):
        return best.tolist()
    there = logits.device
    heat = torch.tensor([t or 1.0 for t in temperatures], dtype=torch.float64, device=there)
    upto = (logits.double() / heat[:, None]).softmax(-1).cumsum(-1)
    drawn = torch.tensor(draws, dtype=torch.float64, device=there)[:, None] * upto[:, -1:]
    picked = torch.searchsorted(upto, drawn, right=True).squeeze(1).clamp(max=logits.shape[-1] - 1)
    cold = torch.tensor([not t for t in temperatures], device=there)
    return torch.where(cold, best, picked).tolist()
