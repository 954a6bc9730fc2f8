"""Some of many, spread over all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], most: int) -> list[T]:
    """Return at most this many items, evenly spaced from the first on."""
    count = min(most, len(items))
    return [items[at * len(items) // count] for at in range(count)]
