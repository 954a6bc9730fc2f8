"""Batches of examples, and the loss on their answers. Prompts are read and never learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
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
    positions: Tensor | None = None
    """Of packed samples; otherwise they follow from the mask."""
    before: Tensor | None = None
    """Of packed samples, the places before the labels."""


def batch_of(examples: Sequence[TrainingExample], *, pad: int) -> TokenBatch:
    """Return a batch, in which prompts with their answers end together."""
    rows = [example.prompt + example.answer for example in examples]
    inputs = _padded(rows, pad)
    mask = _padded([(1,) * len(row) for row in rows], 0)
    labels = _padded([example.answer for example in examples], IGNORED)
    return TokenBatch(inputs, None if bool(mask.all()) else mask, labels)


def packed(examples: Sequence[TrainingExample], *, apart: bool) -> TokenBatch:
    """Return samples end to end in one row. If `apart`, each sees itself alone."""
    rows = [example.prompt + example.answer for example in examples]
    starts = list(accumulate(map(len, rows), initial=0))
    before = [
        place
        for start, example in zip(starts, examples, strict=False)
        for place in range(start + len(example.prompt) - 1, start + len(example.prompt + example.answer) - 1)
    ]
    length = starts[-1]
    owners = torch.tensor([n for n, row in enumerate(rows) for _ in row])
    begun = torch.tensor([start for start, row in zip(starts, rows, strict=False) for _ in row])
    places = torch.arange(length)
    mask = None
    if apart:
        mask = ((owners[:, None] == owners) & (places[:, None] >= places))[None, None]
    return TokenBatch(
        torch.tensor([[token for row in rows for token in row]]),
        mask,
        torch.tensor([[token for example in examples for token in example.answer]]),
        (places - begun if apart else places)[None],
        torch.tensor(before),
    )


def packs(examples: Sequence[TrainingExample], most: int) -> Iterator[list[TrainingExample]]:
    """Yield as many samples, in order, as fit in a row of so many tokens; at least one."""
    row: list[TrainingExample] = []
    taken = 0
    for example in examples:
        length = len(example.prompt) + len(example.answer)
        if row and taken + length > most:
            yield row
            row, taken = [], 0
        row.append(example)
        taken += length
    if row:
        yield row


def lost(model: Any, batch: TokenBatch) -> Tensor:
    """Return the sum of the loss over all tokens of the answers."""
    logits = _logits(model, batch)
    flat = logits.float().reshape(-1, logits.shape[-1])
    return cross_entropy(flat, batch.labels.reshape(-1), ignore_index=IGNORED, reduction="sum")


def _logits(model: Any, batch: TokenBatch) -> Tensor:
    """Return the logits before each label, without those of the prompt, which would take gigabytes."""
    length, places = batch.labels.shape[1], batch.positions
    if batch.before is None and batch.mask is not None:
        places = (batch.mask.cumsum(1) - 1).clamp(min=0)
    logits: Tensor = model(
        input_ids=batch.inputs,
        attention_mask=batch.mask,
        position_ids=places,
        logits_to_keep=length + 1 if batch.before is None else batch.before,
        use_cache=False,
    ).logits
    return logits[:, -length - 1 : -1] if batch.before is None else logits


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*[pad] * (width - len(row)), *row] for row in rows])
