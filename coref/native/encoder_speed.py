"""Measures how fast this machine runs the encoder in each precision.

Flags of the processor do not tell: the same 16 bits are three times as fast as 32 on one processor that has
them and slower on another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor

from coref.encoder_bits import EncoderBits
from coref.native.encoder import Encoder, load_encoder
from coref.native.minilm import encoder_folder
from coref.native.precision import likeliest_device
from coref.native.weights import encoder_ranges

_WINDOWS, _WIDE, _RUNS = 4, 256, 3
_WORTH = 1.2
"""How much faster 8 bits must be than the best other precision, because they change a few results."""

Rates = dict[EncoderBits, float]
"""Pieces of words per second."""


def measure_rates() -> Rates:
    """Takes one to two seconds."""
    if likeliest_device() == "cuda":
        return {}
    encoder = load_encoder(encoder_folder()).eval()
    pieces = torch.randint(1000, encoder.words.shape[0], (_WINDOWS, _WIDE))
    present = torch.ones_like(pieces, dtype=torch.bool)
    with torch.inference_mode():
        return {
            bits: pieces.numel() / _seconds(partial(run(), pieces, present))
            for bits, run in _candidates(encoder)
        }


def fastest_of(rates: Rates) -> EncoderBits:
    """Return the precision to use. Without rates, as on a GPU, 16 bits."""
    if not rates:
        return EncoderBits.SIXTEEN
    exact = max((EncoderBits.SIXTEEN, EncoderBits.THIRTY_TWO), key=lambda each: rates[each])
    eight = rates.get(EncoderBits.EIGHT, 0.0)
    return EncoderBits.EIGHT if eight >= _WORTH * rates[exact] else exact


Run = Callable[[Tensor, Tensor], list[Tensor]]


def _candidates(encoder: Encoder) -> Iterator[tuple[EncoderBits, Callable[[], Run]]]:
    yield EncoderBits.THIRTY_TWO, lambda: encoder
    ranges = encoder_ranges()
    if ranges is not None:
        from coref.native.eight_bits import EightBitEncoder

        yield EncoderBits.EIGHT, lambda: EightBitEncoder(encoder, ranges)
    yield EncoderBits.SIXTEEN, lambda: encoder.to(torch.bfloat16)  # the last, because it changes the encoder


def _seconds(run: Callable[[], object]) -> float:
    run()
    took: list[float] = []
    for _ in range(_RUNS):
        start = time.perf_counter()
        run()
        took.append(time.perf_counter() - start)
    return min(took)
