"""Batches of examples, and the loss on their answers. Prompts are read and never learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from generation.training.types import Arch, TrainingExample

IGNORED = -100
"""The label of tokens that are not learnt."""


@dataclass(frozen=True, slots=True)
class TokenBatch:
    inputs: Tensor
    mask: Tensor | None
    """None if nothing is padded, since attention is then faster."""
    labels: Tensor
    """Labels of the answers alone: as long as the longest, padded with `IGNORED`."""


def batch_of(examples: Sequence[TrainingExample], arch: Arch, *, pad: int) -> TokenBatch:
    """Return a batch. For a decoder, prompts with their answers end together; for an encoder, prompts stand
    alone.
    """
    left = arch is Arch.CAUSAL
    rows = [example.prompt + example.answer if left else example.prompt for example in examples]
    inputs = _padded(rows, pad, left=left)
    mask = _padded([(1,) * len(row) for row in rows], 0, left=left)
    labels = _padded([example.answer for example in examples], IGNORED, left=left)
    return TokenBatch(inputs, None if bool(mask.all()) else mask, labels)


def lost(model: Any, batch: TokenBatch, arch: Arch) -> Tensor:
    """Return the sum of the loss over all tokens of the answers."""
    logits = _causal(model, batch) if arch is Arch.CAUSAL else _seq2seq(model, batch)
    flat = logits.float().reshape(-1, logits.shape[-1])
    return cross_entropy(flat, batch.labels.reshape(-1), ignore_index=IGNORED, reduction="sum")


def _causal(model: Any, batch: TokenBatch) -> Tensor:
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


def _seq2seq(model: Any, batch: TokenBatch) -> Tensor:
    made = model(input_ids=batch.inputs, attention_mask=batch.mask, labels=batch.labels, use_cache=False)
    logits: Tensor = made.logits
    return logits


def _padded(rows: Sequence[Sequence[int]], pad: int, *, left: bool) -> Tensor:
    width = max(map(len, rows))
    blank = [[pad] * (width - len(row)) for row in rows]
    return torch.tensor(
        [[*gap, *row] if left else [*row, *gap] for gap, row in zip(blank, rows, strict=True)]
    )
