"""An encoder in 8 bits that is called as `Bert` is: with pieces and a mask, for the last hidden states."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from torch import Tensor
from torch.nn.functional import pad

from coref.native.eight_bits import EightBitEncoder, Ranges, load_ranges
from coref.native.encoder import Encoder
from coref.native.precision import likeliest_device

_STEPS: Final = 16
"""Batches are as wide as a multiple of this: something is compiled for each shape."""


class Rounded:
    def __init__(self, encoder: Encoder, ranges: Ranges) -> None:
        self._encoder = EightBitEncoder(encoder.eval(), ranges, only_last=True)

    def __call__(self, pieces: Tensor, mask: Tensor | None) -> Tensor:
        width = pieces.shape[1]
        more = (0, -width % _STEPS)
        present = pieces.new_ones(pieces.shape).bool() if mask is None else mask
        hidden: Tensor = self._encoder(pad(pieces, more), pad(present, more))[-1]
        return hidden[:, :width]


def ranges_here(file: Path, *, of: str) -> Ranges | None:
    """Return the ranges for the weights with this sha256; None without them, or where a GPU does the work."""
    return load_ranges(file, of=of) if likeliest_device() == "cpu" else None
