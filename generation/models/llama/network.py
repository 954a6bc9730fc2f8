"""A loaded model and its adapters: reads prompts, and extends the answers being written by one token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from generation.models.llama.adapters import settle
from generation.models.llama.cache_slots import SlotCache

CHUNKS = {"cpu": 512, "mps": 2048, "cuda": 8192}
"""Tokens read at once: few enough that a request can be cancelled soon and that memory suffices."""


def chunk_of(device: str) -> int:
    return CHUNKS[torch.device(device).type]


class LlamaNetwork:
    """A network. It is not safe for two threads at a time."""

    def __init__(self, model: Any, *, device: str, rows: int) -> None:
        """Wrap a model, which may contain PEFT's adapters. Every step has this many `rows`, in use or not."""
        self.model, self._adapters = settle(model)
        self._rows = rows
        self.device = device
        self._selected: str | None = None

    @property
    def rows(self) -> int:
        return self._rows

    @property
    def layers(self) -> int:
        return int(self.model.config.num_hidden_layers)

    def select(self, adapter: str | None) -> None:
        if adapter != self._selected:
            self._adapters.use(adapter)
            self._selected = adapter

    @torch.inference_mode()
    def read(
        self, ids: Sequence[int], *, gone: Callable[[], bool] = lambda: False
    ) -> tuple[Tensor, DynamicCache] | None:
        """Return the logits of the next token, (1, vocabulary), and the cache, or None if the request was
        cancelled.

        A prompt is read alone: that keeps the processor busy enough, needs no padding, and gives the same
        numbers whatever else is requested.
        """
        cache = DynamicCache()
        tokens = torch.tensor([ids], device=self.device)
        for part in torch.split(tokens, chunk_of(self.device), dim=1):
            if gone():
                return None
            made = self.model(input_ids=part, past_key_values=cache, use_cache=True, logits_to_keep=1)
        return made.logits[:, -1].float(), cache

    @torch.inference_mode()
    def step(self, tokens: Sequence[int], slots: SlotCache) -> Tensor:
        """Return the logits of the next token for each slot in use: (slots in use, vocabulary)."""
        idle = [0] * (self._rows - len(tokens))
        visible = slots.begin()
        made = self.model(
            input_ids=torch.tensor([*tokens, *idle], device=self.device)[:, None],
            position_ids=torch.tensor([*slots.lengths, *idle], device=self.device)[:, None],
            past_key_values=slots,
            use_cache=True,
            logits_to_keep=1,
            visible=visible,
        )
        slots.end()
        chances: Tensor = made.logits[: len(tokens), -1].float()
        return chances
