"""Small adapters for MiniLM: low-rank matrices that are added to those of its encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import torch
from torch import Tensor
from torch.nn.functional import normalize

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DOWN, UP = ".down", ".up"
"""Endings of the two narrow matrices whose product is added to a matrix of the encoder."""
ADAPTED: Final = ("query", "key", "value", "dense")
"""The encoder's matrices that are adapted."""


def added(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return what an adapter adds to each matrix of the encoder."""
    names = [name.removesuffix(DOWN) for name in weights if name.endswith(DOWN)]
    return {name: weights[name + UP].float() @ weights[name + DOWN].float() for name in names}


def pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the state of the first piece beside the mean of all."""
    return torch.cat((hidden[:, 0], mean_over(hidden, mask)), 1)


def mean_of_pieces(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean state as a unit vector, as MiniLM makes the vector of a text."""
    return normalize(mean_over(hidden, mask), dim=-1)


def mean_over(hidden: Tensor, mask: Tensor) -> Tensor:
    shown = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * shown).sum(1) / shown.sum(1)


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Return rows of pieces in one table; 0 is padding."""
    pieces = torch.zeros((len(rows), max(map(len, rows))), dtype=torch.long)
    for n, row in enumerate(rows):
        pieces[n, : len(row)] = torch.tensor(row)
    return pieces


def tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made
