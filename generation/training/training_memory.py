"""Estimate how much memory a training takes, without loading anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from generation.training.training_loop import dtype_for
from generation.training.types import Arch, Recipe, TrainingExample

KEPT = {
    (torch.bfloat16, False): (54, 12),
    (torch.bfloat16, True): (40, 10),
    (torch.float32, False): (72, 20),
    (torch.float32, True): (38, 16),
}
"""Bytes that a layer keeps for each token until the backward pass, for each number of a state and of the MLP,
by precision and by whether all weights are trained. Measured on Llama's layers with PyTorch 2.13 and PEFT
0.21.
"""
_MOMENTS = 8
"""Bytes of AdamW's state for each weight."""
_LOGITS = 14
"""Bytes for each token of an answer and each entry of the vocabulary: logits, probabilities and gradients."""


@dataclass(frozen=True, slots=True)
class TrainingMemory:
    """Memory in bytes."""

    weights: int
    trained: int
    """Gradients, the optimizer's state, and an adapter's own weights."""
    activations: int
    parameters: int
    """Number of weights. The next one counts those that are trained."""
    trainable: int

    @property
    def total(self) -> int:
        return self.weights + self.trained + self.activations


def estimate(model: Any, examples: Iterable[TrainingExample], recipe: Recipe, device: str) -> TrainingMemory:
    """Estimate the memory. `model` may be a sketch without weights. The longest of the examples counts."""
    longest = max(examples, key=lambda e: len(e.prompt) + len(e.answer))
    dtype = dtype_for(recipe.precision, device)
    parameters = sum(weight.numel() for weight in model.parameters())
    trainable = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    frozen = (parameters - trainable) * dtype.itemsize
    return TrainingMemory(
        weights=4 * trainable if recipe.full else frozen,
        trained=trainable * (4 + _MOMENTS if recipe.full else 4 + 4 + _MOMENTS),
        activations=_activations(model.config, longest, recipe, dtype),
        parameters=parameters,
        trainable=trainable,
    )


def _activations(config: Any, longest: TrainingExample, recipe: Recipe, dtype: torch.dtype) -> int:
    read, written = len(longest.prompt), len(longest.answer)
    stacks = [(config.num_hidden_layers, read + written)]
    if recipe.arch is Arch.SEQ2SEQ:
        layers = config.num_hidden_layers
        writing = _size(config, "num_decoder_layers", "decoder_layers", usual=layers)
        stacks = [(layers, read), (writing, written)]
    whole = written * config.vocab_size * _LOGITS
    for layers, tokens in stacks:
        layer = _layer(config, tokens, recipe, dtype)
        states = tokens * config.hidden_size * dtype.itemsize
        # With checkpointing one layer at a time is in memory, with as much again for its gradients.
        whole += layers * states + 2 * layer if recipe.checkpointing else (layers + 1) * layer
    return int(recipe.batch * whole)


def _layer(config: Any, tokens: int, recipe: Recipe, dtype: torch.dtype) -> int:
    state, inner = KEPT[dtype, recipe.full]
    wide = _size(
        config, "intermediate_size", "d_ff", "encoder_ffn_dim", "n_inner", usual=4 * config.hidden_size
    )
    kept = tokens * (state * config.hidden_size + inner * wide)
    if recipe.arch is Arch.SEQ2SEQ:
        # These keep the attention between every two tokens.
        radius = getattr(config, "local_radius", None)
        looked_at = tokens if radius is None else 3 * (radius + 1) + tokens // config.global_block_size
        kept += 3 * tokens * min(tokens, looked_at) * config.num_attention_heads * dtype.itemsize
    return int(kept)


def _size(config: Any, *names: str, usual: int) -> int:
    """Return a size of the model. Architectures have different names for it."""
    found = (getattr(config, name, None) for name in names)
    return int(next(filter(None, found), usual))
