"""Tensors in a few steady shapes.

Each new shape makes the matrix kernels compile something and keep it, and a novel would make hundreds: a few
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
"""Read at once; the last of a passage may be fewer, which makes so many shapes and no more."""
_WORDS, _MENTIONS, _PAIRS = 512, 128, 4096
"""Counts are rounded up to so many."""
_STEPS = 64
"""What is but one window is as wide as so many pieces, or twice, three times… so many."""


@cache
def _trim() -> Callable[[int], object]:
    """Where the C library can give freed memory back to the system, how it is told to."""
    if not sys.platform.startswith("linux"):
        return lambda _: None
    trim: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim or (lambda _: None)


def give_back_memory() -> None:
    """What a passage needed is free now, in pieces that the next one cannot use."""
    _trim()(0)


def encode(network: LiteraryNetwork, batch: DocumentBatch) -> tuple[DocumentBatch, list[Tensor]]:
    """The encoder's outputs, some windows at once, and the batch they belong to; where the network is."""
    device = network.device
    count, width = batch.pieces.shape
    wide = max(width, min(MOST_PIECES + 2, network.encoder.positions.shape[0]))
    if count == 1:
        wide = min(wide, width + -width % _STEPS)
    more = (0, wide - width)
    pieces, present = pad(batch.pieces, more).to(device), pad(batch.present, more).to(device)
    owners = pad(batch.owners.reshape(count, width), more, value=-1)
    parts = [
        network.encoder(pieces[at : at + _WINDOWS], present[at : at + _WINDOWS])
        for at in range(0, count, _WINDOWS)
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
    """`network.mentions` of these words."""
    scores: Tensor = network.mentions(_rounded(vectors, _WORDS))
    return scores[: len(vectors)].float().cpu()


def represent(network: LiteraryNetwork, vectors: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    """`network.represent` of these mentions."""
    more = -len(starts) % _MENTIONS
    padded = (torch.cat([side, side[:1].expand(more)]).to(vectors.device) for side in (starts, ends))
    return network.represent(vectors, *padded)[: len(starts)].clone()


def apply(layer: nn.Linear, mentions: Tensor) -> Tensor:
    """What a layer makes of the features of each mention."""
    made: Tensor = layer(_rounded(mentions, _MENTIONS))
    return made[: len(mentions)]


def rounded_pairs(columns: Tensor) -> Tensor:
    """Indices of pairs, the first of them repeated at the end: what is said of those is to be cut off."""
    return torch.cat([columns, columns[:1].expand(-len(columns) % _PAIRS)])


def _rounded(rows: Tensor, to: int) -> Tensor:
    return pad(rows, (0, 0, 0, -rows.shape[0] % to))
