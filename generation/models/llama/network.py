"""A loaded model and its adapters: reads prompts, and extends the answers being written by one token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from generation.models.llama.adapters import settle
from generation.models.llama.cache_slots import SlotCache
from generation.models.llama.recording import GraphRecorder, Recorder

CHUNKS = {"cpu": 512, "mps": 2048, "cuda": 8192}
"""Tokens read at once: few enough that a request can be cancelled soon and that memory suffices."""


def chunk_of(device: str) -> int:
    return CHUNKS[torch.device(device).type]


@dataclass(frozen=True, slots=True, eq=False)
class LastPrompt:
    """The prompt that was read last: the next one may be the same, or begin with the same tokens."""

    adapter: str | tuple[str, ...] | None
    ids: Sequence[int]
    """The tokens that were read."""
    cache: DynamicCache
    chances: Tensor | None
    """The logits of the token after it. None if it was not read to its end."""

    def shared(
        self, adapter: str | tuple[str, ...] | None, ids: Sequence[int], *, chunk: int
    ) -> tuple[DynamicCache, int]:
        """Return the cache of the tokens that these begin with too, and their number. This prompt is used up.

        Only whole chunks are shared, and never all of `ids`: the rest is then read in the same chunks as
        without this, and gives the same numbers. Kernels round otherwise when they multiply another number of
        tokens.
        """
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.ids, ids, strict=False)))
        count = 0 if adapter != self.adapter else min(alike, len(ids) - 1) // chunk * chunk
        if not count:
            return DynamicCache(), 0
        for layer in self.cache.layers:
            layer.keys, layer.values = layer.keys[:, :, :count], layer.values[:, :, :count]
        return self.cache, count


class LlamaNetwork:
    """A network. It is not safe for two threads at a time."""

    def __init__(self, model: Any, *, device: str, rows: int, recorder: Recorder | None = None) -> None:
        """Wrap a model, which may contain PEFT's adapters. Every step has this many `rows`, in use or not.

        Its steps are recorded on a GPU, or by the given `recorder`.
        """
        self.model, self._adapters = settle(model)
        self.rows = rows
        # In 8 bits bitsandbytes looks at the numbers on the way, which no recording can.
        recordable = not getattr(self.model, "is_loaded_in_8bit", False)
        if recorder is None and torch.device(device).type == "cuda" and recordable:
            recorder = GraphRecorder(device)
        self._recorder = recorder
        self._given = torch.zeros(2, rows, dtype=torch.long, device=device)
        self.device = device
        self.mixes = self._adapters.mixes
        """Whether the rows of a step can have different adapters."""
        self._shares: dict[str, Tensor] = {}
        self._selected: str | tuple[str, ...] | None = None
        """An adapter for all rows, or several."""
        self._last: LastPrompt | None = None

    @property
    def layers(self) -> int:
        return int(self.model.config.num_hidden_layers)

    def select(self, adapter: str | None) -> None:
        if adapter != self._selected:
            self._adapters.use(adapter)
            self._selected = adapter

    def _select_for(self, adapters: Sequence[str | None]) -> None:
        """Select the adapter of each row. What tells the rows lies in tensors that stay in place."""
        if len(set(adapters)) == 1:
            self.select(adapters[0])
            return
        names = tuple(sorted({name for name in adapters if name is not None}))
        for name in names:
            if name not in self._shares:
                self._shares[name] = torch.zeros(self.rows, 1, 1, dtype=self.model.dtype, device=self.device)
            own = torch.tensor([float(name == each) for each in adapters])
            self._shares[name].zero_()[: len(adapters), 0, 0].copy_(own)
        if names != self._selected:
            self._adapters.mix({name: self._shares[name] for name in names})
            self._selected = names

    @torch.inference_mode()
    def read(
        self, ids: Sequence[int], *, gone: Callable[[], bool] = lambda: False
    ) -> tuple[Tensor, DynamicCache] | None:
        """Return the logits of the next token, (1, vocabulary), and the cache, or None if the request was
        cancelled. The cache is valid until the next prompt is read.

        A prompt is read alone: that keeps the processor busy enough, needs no padding, and gives the same
        numbers whatever else is requested. The same prompt again, as for a second attempt, is not read again.
        """
        chunk = chunk_of(self.device)
        last, self._last = self._last, None  # an accident leaves nothing behind
        if last and last.chances is not None and (last.adapter, [*last.ids]) == (self._selected, [*ids]):
            self._last = last
            return last.chances, last.cache
        cache, done = last.shared(self._selected, ids, chunk=chunk) if last else (DynamicCache(), 0)
        del last  # there is memory for only one prompt that is not among the answers
        for part in torch.split(torch.tensor([ids[done:]], device=self.device), chunk, dim=1):
            if gone():
                self._last = LastPrompt(self._selected, ids[:done], cache, None)
                return None
            # The cache has another name from transformers 5.24 on, in the same place.
            made = self.model(part, None, None, cache, use_cache=True, logits_to_keep=1)
            done += part.shape[1]
        chances = made.logits[:, -1].float()
        self._last = LastPrompt(self._selected, ids, cache, chances)
        return chances, cache

    def forget(self) -> None:
        """Free the memory of the prompt that was read last."""
        self._last = None

    @torch.inference_mode()
    def step(
        self, tokens: Sequence[int], slots: SlotCache, adapters: Sequence[str | None] | None = None
    ) -> Tensor:
        """Return the logits of the next token for each slot in use: (slots in use, vocabulary).

        `adapters` has the adapter of each, if it is not the one that is selected.
        """
        if adapters is not None:
            self._select_for(adapters)
        idle = [0] * (self.rows - len(tokens))
        self._given.copy_(torch.tensor([[*tokens, *idle], [*slots.lengths, *idle]]))
        shape = slots.begin(few_shapes=self._recorder is not None)
        step = partial(self._extend, slots)
        if self._recorder is None:
            chances = step()
        else:
            chances = self._recorder.run(slots.storage, (self._selected, *shape), step)
        slots.end()
        return chances[: len(tokens)]

    def _extend(self, slots: SlotCache) -> Tensor:
        tokens, places = self._given
        made = self.model(
            tokens[:, None],
            None,
            places[:, None],
            slots,
            use_cache=True,
            logits_to_keep=1,
            visible=slots.look(places),
        )
        chances: Tensor = made.logits[:, -1].float()
        return chances
