"""Tensors in a small number of shapes.

For each new shape the matrix kernels compile something and keep it, and a novel would produce hundreds. A few
rows of padding cost less than that, in time and in memory.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from coref.native.network import DocumentBatch, LiteraryNetwork
from coref.native.word_pieces import MOST_PIECES

_WINDOWS = 4
"""Windows encoded at once on a processor. The last of a passage may be fewer, which adds only as many shapes.

A GPU encodes all windows of a passage at once.
"""
_WORDS, _MENTIONS, _PAIRS = 512, 128, 4096
"""Counts are rounded up to multiples of these."""
_STEPS = 64
"""A single window is as wide as a multiple of this number of pieces."""


@cache
def _trim() -> Callable[[int], object]:
    """Return the C library's function that returns freed memory to the system, if it has one."""
    if not sys.platform.startswith("linux"):
        return lambda _: None
    trim: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim or (lambda _: None)


def give_back_memory() -> None:
    """Return memory freed by the last passage to the system. The next one could not reuse its pieces."""
    _trim()(0)


def encode(network: LiteraryNetwork, batch: DocumentBatch) -> tuple[DocumentBatch, list[Tensor]]:
    """Return the encoder's outputs and their batch, on the network's device.

    Several windows are encoded at a time.
    """
    device = network.device
    count, width = batch.pieces.shape
    wide = max(width, min(MOST_PIECES + 2, network.encoder.positions.shape[0]))
    if count == 1:
        wide = min(wide, width + -width % _STEPS)
    more = (0, wide - width)
    pieces, present = pad(batch.pieces, more).to(device), pad(batch.present, more).to(device)
    owners = pad(batch.owners.reshape(count, width), more, value=-1)
    together = _WINDOWS if device.type == "cpu" else count
    parts = [
        network.encoder(pieces[at : at + together], present[at : at + together])
        for at in range(0, count, together)
    ]
    outputs = [torch.cat(layer) for layer in zip(*parts, strict=True)]
    there = replace(
        batch,
        pieces=pieces,
        present=present,
        owners=owners.reshape(-1).to(device),
        shapes=batch.shapes.to(device),
        speech=batch.speech.to(device),
    )
    return there, outputs


def score_mentions(network: LiteraryNetwork, vectors: Tensor) -> Tensor:
    """Apply `network.mentions` to these words."""
    scores: Tensor = network.mentions(_rounded(vectors, _WORDS))
    return scores[: len(vectors)].float().cpu()


def represent(network: LiteraryNetwork, vectors: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    """Apply `network.represent` to these mentions."""
    more = -len(starts) % _MENTIONS
    padded = (torch.cat([side, side[:1].expand(more)]).to(vectors.device) for side in (starts, ends))
    return network.represent(vectors, *padded)[: len(starts)].clone()


def apply(layer: nn.Linear, mentions: Tensor) -> Tensor:
    """Apply a layer to the features of each mention."""
    made: Tensor = layer(_rounded(mentions, _MENTIONS))
    return made[: len(mentions)]


def rounded_pairs(columns: Tensor) -> Tensor:
    """Pad indices of pairs with the first one. The caller cuts off the results of the padding."""
    return torch.cat([columns, columns[:1].expand(-len(columns) % _PAIRS)])


def _rounded(rows: Tensor, to: int) -> Tensor:
    return pad(rows, (0, 0, 0, -rows.shape[0] % to))
