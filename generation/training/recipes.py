"""The default recipe of an architecture. All of it may be changed."""

from __future__ import annotations

from generation.training.types import LAYERS, Arch, Decay, Recipe

FULL_SEQ2SEQ_RATE = 1e-4


def usual(arch: Arch, *, full: bool) -> Recipe:
    """Return the default recipe. A fully trained encoder-decoder uses a higher and constant rate."""
    if full and arch is Arch.SEQ2SEQ:
        return Recipe(arch=arch, full=True, rate=FULL_SEQ2SEQ_RATE, decay=Decay.CONSTANT, layers=LAYERS[arch])
    return Recipe(arch=arch, full=full, layers=LAYERS[arch])
