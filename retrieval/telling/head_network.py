"""The network of a head that scores sentences, while it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from retrieval.telling.sentence_table import Floats

_LEAST_DEVIATION = 1e-2


class HeadSizes(Protocol):
    @property
    def hidden(self) -> int: ...

    @property
    def meaning(self) -> int:
        """Width of what it makes of a sentence's vector."""
        ...

    @property
    def dropout(self) -> float: ...


class HeadNetwork(nn.Module):
    mean: Tensor
    deviation: Tensor

    def __init__(self, signs: Sequence[Floats], size: int, outputs: int, sizes: HeadSizes) -> None:
        """Take the signs that it is trained on, and the length of a sentence's vector."""
        super().__init__()
        every = np.concatenate(signs)
        self.register_buffer("mean", torch.from_numpy(every.mean(0)))
        self.register_buffer("deviation", torch.from_numpy(np.maximum(every.std(0), _LEAST_DEVIATION)))
        self._scale = float(size) ** 0.5
        self.meaning = nn.Linear(size, sizes.meaning)
        self.hidden = nn.Linear(every.shape[1] + sizes.meaning, sizes.hidden)
        self.out = nn.Linear(sizes.hidden, outputs)
        self.direct = nn.Linear(every.shape[1], outputs, bias=False)
        self._drop = nn.Dropout(sizes.dropout)

    def forward(self, signs: Tensor, vectors: Tensor | None) -> Tensor:
        known = (signs - self.mean) / self.deviation
        meant = known.new_zeros((len(known), self.meaning.out_features))
        if vectors is not None:
            meant = torch.relu(self.meaning(self._drop(vectors * self._scale)))
        hidden = torch.relu(self.hidden(torch.cat((known, meant), 1)))
        scores: Tensor = self.out(self._drop(hidden)) + self.direct(known)
        return scores

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what it has learnt, as `TellingHead` takes it."""
        found = {
            name: tensor.detach().numpy().astype(np.float32) for name, tensor in self.state_dict().items()
        }
        found["meaning.weight"] = found["meaning.weight"] * np.float32(self._scale)
        return found
