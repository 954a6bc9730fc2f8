"""The prompt that was read last. The next one may begin with the same tokens: the same is asked again with
another seed, or another task is set about the same passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from transformers import DynamicCache


@dataclass(frozen=True, slots=True, eq=False)
class LastPrompt:
    adapter: str | None
    ids: Sequence[int]
    """The tokens that were read."""
    cache: DynamicCache

    def shared(self, adapter: str | None, ids: Sequence[int], *, chunk: int) -> tuple[DynamicCache, int]:
        """Return the cache of the tokens that these begin with too, and their number. This prompt is used up.

        Only whole chunks are shared, and never all of `ids`: the rest is then read in the same chunks as
        without this, and gives the same numbers.
        """
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.ids, ids, strict=False)))
        count = 0 if adapter != self.adapter else min(alike, len(ids) - 1) // chunk * chunk
        if not count:
            return DynamicCache(), 0
        for layer in self.cache.layers:
            layer.keys, layer.values = layer.keys[:, :, :count], layer.values[:, :, :count]
        return self.cache, count
