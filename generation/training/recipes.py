"""What is usual for an architecture; whoever trains may change any of it."""

from __future__ import annotations

from generation.training.types import LAYERS, Arch, Decay, Recipe

FULL_SEQ2SEQ_RATE = 1e-4


def usual(arch: Arch, *, full: bool) -> Recipe:
    """An encoder-decoder trained in full learns faster, and always as fast."""
    if full and arch is Arch.SEQ2SEQ:
        return Recipe(arch=arch, full=True, rate=FULL_SEQ2SEQ_RATE, decay=Decay.CONSTANT, layers=LAYERS[arch])
    return Recipe(arch=arch, full=full, layers=LAYERS[arch])
