"""Batches of examples, and the loss on their answers. Prompts are read and never learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from generation.training.types import TrainingExample

IGNORED = -100
"""The label of tokens that are not learnt."""


@dataclass(frozen=True, slots=True)
class TokenBatch:
    inputs: Tensor
    mask: Tensor | None
    """None if nothing is padded, since attention is then faster."""
    labels: Tensor
    """Labels of the answers alone: as long as the longest, padded with `IGNORED`."""


def batch_of(examples: Sequence[TrainingExample], *, pad: int) -> TokenBatch:
    """Return a batch, in which prompts with their answers end together."""
    rows = [example.prompt + example.answer for example in examples]
    inputs = _padded(rows, pad)
    mask = _padded([(1,) * len(row) for row in rows], 0)
    labels = _padded([example.answer for example in examples], IGNORED)
    return TokenBatch(inputs, None if bool(mask.all()) else mask, labels)


def lost(model: Any, batch: TokenBatch) -> Tensor:
    """Return the sum of the loss over all tokens of the answers."""
    logits = _logits(model, batch)
    flat = logits.float().reshape(-1, logits.shape[-1])
    return cross_entropy(flat, batch.labels.reshape(-1), ignore_index=IGNORED, reduction="sum")


def _logits(model: Any, batch: TokenBatch) -> Tensor:
    """Return the logits before each label. Those of the prompt would take gigabytes and are never
    computed.
    """
    length = batch.labels.shape[1]
    places = None if batch.mask is None else (batch.mask.cumsum(1) - 1).clamp(min=0)
    made = model(
        input_ids=batch.inputs,
        attention_mask=batch.mask,
        position_ids=places,
        logits_to_keep=length + 1,
        use_cache=False,
    )
    logits: Tensor = made.logits[:, -length - 1 : -1]
    return logits


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*[pad] * (width - len(row)), *row] for row in rows])
