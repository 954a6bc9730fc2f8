"""The key-value cache of the answers being written: a slot for each, all of one size, filled from the left.

The caches of transformers put padding before short prompts and copy everything at every token. Here a token
is written in place, and an answer that ends leaves its slot to another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers import Cache, DynamicCache
from transformers.cache_utils import DynamicLayer

STRIDE = 512
"""The visible length is a multiple of this many tokens: kernels sum by blocks, and the blocks must be the
same however long the other rows are.
"""


@dataclass(slots=True, eq=False)
class SlotStep:
    """Where the current step writes, and how many slots and tokens it looks at."""

    rows: Tensor | None = None
    places: Tensor | None = None
    seen: int = 0
    width: int = 0
    lengths: list[int] = field(default_factory=list)


class LayerCache(DynamicLayer):  # type: ignore[misc]
    """One layer's keys and values: (slots, heads, tokens, numbers)."""

    keys: Tensor
    values: Tensor

    def __init__(self, now: SlotStep) -> None:
        super().__init__()
        self._now = now

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Store one token for each slot that is looked at, and return everything that these may attend to."""
        now = self._now
        self.keys[now.rows, :, now.places] = key_states[: now.seen, :, 0]
        self.values[now.rows, :, now.places] = value_states[: now.seen, :, 0]
        return self.keys[: now.seen, :, : now.width], self.values[: now.seen, :, : now.width]

    def get_seq_length(self) -> int:
        return self._now.width - 1

    def get_mask_sizes(self, *_: Any) -> tuple[int, int]:
        return self._now.width, 0

    def reserve(self, like: Tensor, shape: tuple[int, ...], kept: int) -> None:
        self.keys, self.values = (_grown(old, like, shape, kept) for old in (self.keys, self.values))
        self.is_initialized = True


class SlotCache(Cache):  # type: ignore[misc]
    """Slots of all layers. The slots in use are always the first ones, in the order of `lengths`."""

    def __init__(self, layers: int) -> None:
        self._now = SlotStep()
        self.storage = object()
        """Stands for the tensors that hold the cache: another object when these are others."""
        super().__init__(layers=[LayerCache(self._now) for _ in range(layers)])

    @property
    def lengths(self) -> tuple[int, ...]:
        """Number of cached tokens in each slot."""
        return tuple(self._now.lengths)

    def admit(self, read: DynamicCache, *, rows: int, room: int) -> None:
        """Give the next slot to a prompt that was read alone. At least `rows` slots of `room` tokens will be
        needed soon: allocating them at once saves copying.
        """
        like, at = read.layers[0].keys, len(self._now.lengths)
        tall, wide = self._shape()
        if tall <= at or wide < room:
            shape = (max(tall, rows, at + 1), like.shape[1], max(wide, _whole(room)), like.shape[3])
            for layer in self.layers:
                layer.reserve(like, shape, at)
            self.storage = object()
        length = like.shape[2]
        for layer, source in zip(self.layers, read.layers, strict=True):
            layer.keys[at, :, :length] = source.keys[0]
            layer.values[at, :, :length] = source.values[0]
        self._now.lengths.append(length)

    def begin(self, *, few_shapes: bool) -> tuple[int, int]:
        """Prepare for one token of each row. Return how many slots are looked at, and how many
        tokens of each.

        To have few shapes, idle slots are looked at with those in use, up to the next power of two.
        """
        now, count = self._now, len(self._now.lengths)
        tall, _ = self._shape()
        now.seen = min(1 << (count - 1).bit_length(), tall) if few_shapes else count
        now.width = _whole(max(now.lengths) + 1)
        return now.seen, now.width

    def look(self, places: Tensor) -> Tensor:
        """Take the position of every row's token, on the device; it is 0 for an idle one. Return the
        attention mask to add, 0 or minus infinity: (slots looked at, 1, 1, tokens).
        """
        now = self._now
        now.rows = torch.arange(now.seen, device=places.device)
        now.places = places[: now.seen]
        hidden = torch.arange(now.width, device=places.device) > now.places[:, None]
        none = torch.zeros(hidden.shape, dtype=self.layers[0].keys.dtype, device=places.device)
        return none.masked_fill(hidden, -torch.inf)[:, None, None]

    def end(self) -> None:
        """Count one more token in every row."""
        self._now.lengths = [length + 1 for length in self._now.lengths]

    def leave(self, at: int) -> None:
        """Free a slot: the last one in use moves there. Freeing the last slot of all frees the memory."""
        last = len(self._now.lengths) - 1
        length = self._now.lengths.pop()
        if last == 0:
            self.clear()
        elif at < last:
            self._now.lengths[at] = length
            for layer in self.layers:
                layer.keys[at, :, :length] = layer.keys[last, :, :length]
                layer.values[at, :, :length] = layer.values[last, :, :length]

    def clear(self) -> None:
        self._now.lengths = []
        for layer in self.layers:
            layer.keys = layer.values = None
            layer.is_initialized = False
        self.storage = object()

    def _shape(self) -> tuple[int, int]:
        keys = self.layers[0].keys
        return (0, 0) if keys is None else (keys.shape[0], keys.shape[2])


def _whole(tokens: int) -> int:
    return -(-tokens // STRIDE) * STRIDE


def _grown(old: Tensor | None, like: Tensor, shape: tuple[int, ...], kept: int) -> Tensor:
    """Return a larger tensor, filled with zeros: masked values are multiplied by 0, and that must give 0."""
    new = like.new_zeros(shape)
    if old is not None:
        new[:kept, :, : old.shape[2]] = old[:kept]
    return new
