"""The moving average of a network's weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

STEPS = "steps"


class Average:
    """Follows the weights from step to step, more closely in the first steps."""

    def __init__(self, network: nn.Module, keep: float) -> None:
        self._keep = keep
        self._steps = 0
        self._weights = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}

    @torch.no_grad()
    def follow(self, network: nn.Module) -> None:
        self._steps += 1
        keep = min(self._keep, self._steps / (self._steps + 9))
        for name, tensor in network.state_dict().items():
            self._weights[name].lerp_(tensor, 1 - keep)

    @contextmanager
    def worn_by(self, network: nn.Module) -> Iterator[None]:
        """Give the network the average's weights temporarily."""
        own = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}
        network.load_state_dict(self._weights)
        try:
            yield
        finally:
            network.load_state_dict(own)

    def state(self) -> dict[str, Tensor]:
        return {**self._weights, STEPS: torch.tensor(self._steps)}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        self._steps = int(state[STEPS])
        for name, tensor in self._weights.items():
            tensor.copy_(state[name])
