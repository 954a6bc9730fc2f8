"""The encoder of pairs: MiniLM's lower layers as they come in its package."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Final

import torch
from torch import Tensor

from coref.native.minilm import encoder_folder
from coref.native.threads import for_work
from generation.checking.entailment.pair_encoding import EncodedPair
from retrieval.embedders.adapters import padded
from retrieval.embedders.bert import Bert

_TOGETHER: Final = 16
"""Pairs in a batch."""


def encode_pairs(pairs: Sequence[EncodedPair], layers: int) -> list[Tensor]:
    """Return the hidden states of each pair's pieces. Each piece has read the claim and all its sentences.

    The upper layers are about the meaning of a whole text, not of its words.
    """
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].pieces))
    found: dict[int, Tensor] = {}
    for first in range(0, len(order), _TOGETHER):
        some = order[first : first + _TOGETHER]
        pieces = padded([pairs[at].pieces for at in some])
        with torch.inference_mode(), for_work(pieces.numel()):
            hidden = _lower_layers(layers)(pieces, pieces > 0)
        found |= {at: hidden[row, : len(pairs[at].pieces)] for row, at in enumerate(some)}
    return [found[at] for at in range(len(pairs))]


@cache
def _lower_layers(layers: int) -> Bert:
    folder = encoder_folder()
    config = json.loads((folder / "config.json").read_text("utf-8")) | {"num_hidden_layers": layers}
    return Bert.load(folder, config, dtype=torch.float32, device="cpu")
