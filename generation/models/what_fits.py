"""How large a model the memory of a machine holds. It is a reckoning, not a measurement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GB: Final = 10**9
BILLION_WEIGHTS: Final = 0.6 * GB
"""Bytes of a billion weights in 4 bits, as Ollama and llama.cpp usually have them."""
OF_WEIGHTS: Final = 0.75
"""Share of the memory for weights. The rest is for the context."""


@dataclass(frozen=True, slots=True)
class Room:
    device: str
    free: int
    """Bytes."""

    @property
    def billions(self) -> int:
        """Weights of the largest model that fits, in billions."""
        return int(OF_WEIGHTS * self.free / BILLION_WEIGHTS)


def room_here() -> Room:
    """Return the room on the device that a model would use."""
    from generation.models.llama.loading import device_of
    from generation.models.llama.memory import free

    device = device_of("auto")
    return Room(device, free(device))
