"""An encoder in 8 bits that is called as `Bert` is: with pieces and a mask, for the last hidden states."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn.functional import pad

from books.digests import file_sha256
from coref.encoder_bits import EncoderBits, chosen
from coref.native.eight_bits import EightBitEncoder, Ranges, load_ranges
from coref.native.encoder import WEIGHTS, Encoder, encoder_of
from coref.native.precision import likeliest_device
from retrieval.embedders.bert import Bert, Changes

_STEPS: Final = 16
"""Batches are as wide as a multiple of this: something is compiled for each shape."""

Read = Callable[[Tensor, Tensor | None], Tensor]


class Rounded:
    def __init__(self, encoder: Encoder, ranges: Ranges, *, streams: int = 1) -> None:
        self._encoder = EightBitEncoder(encoder.eval(), ranges, only_last=True, streams=streams)

    def __call__(self, pieces: Tensor, mask: Tensor | None) -> Tensor:
        present = pieces.new_ones(pieces.shape).bool() if mask is None else mask
        return in_steps(lambda *batch: self._encoder(*batch)[-1], pieces, present)


def in_steps(encoder: Read, pieces: Tensor, mask: Tensor) -> Tensor:
    """Return the last hidden states of a batch."""
    width = pieces.shape[1]
    more = (0, -width % _STEPS)
    return encoder(pad(pieces, more), pad(mask, more))[:, :width].float()


def changed_encoder(folder: Path, changes: Changes, ranges: Ranges | None) -> Callable[..., Tensor]:
    """Return the encoder in a folder with trained changes, for the batches of a processor.

    It takes pieces and a mask. With ranges it is run in 8 bits, without them in 16 if these are chosen.
    """
    if ranges is not None:
        return Rounded(trainable(folder, changes), ranges)
    sixteen = chosen() is EncoderBits.SIXTEEN and likeliest_device() == "cpu"
    return partial(in_steps, _bert(folder, changes, torch.bfloat16 if sixteen else torch.float32))


def exact_encoder(folder: Path, changes: Changes) -> Bert:
    """Return the same in 32 bits, for a text alone: fewer bits would not be faster."""
    return _bert(folder, changes, torch.float32)


def _bert(folder: Path, changes: Changes, dtype: torch.dtype) -> Bert:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    return Bert.load(folder, config, dtype=dtype, device="cpu", changes=changes)


def trainable(folder: Path, changes: Changes) -> Encoder:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    return encoder_of(config, changes.of(load_file(folder / WEIGHTS)))


def chosen_ranges(file: Path, weights: Path) -> Ranges | None:
    """Return the ranges for a file of weights if 8 bits are chosen; None if it has none."""
    return ranges_here(file, of=file_sha256(weights)) if chosen() is EncoderBits.EIGHT else None


def ranges_here(file: Path, *, of: str) -> Ranges | None:
    """Return the ranges for the weights with this sha256; None without them, or where a GPU does the work."""
    return load_ranges(file, of=of) if likeliest_device() == "cpu" else None
