"""Estimate how much memory a training takes, without loading anything."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from generation.models.llama.quantisation import stored
from generation.training.training_loop import dtype_for
from generation.training.types import Recipe, TrainingExample

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
    frozen = stored(parameters - trainable, model.config, bits=recipe.bits, size=dtype.itemsize)
    return TrainingMemory(
        weights=4 * trainable if recipe.full else frozen,
        trained=trainable * (4 + _MOMENTS if recipe.full else 4 + 4 + _MOMENTS),
        activations=_activations(model.config, longest, recipe, dtype),
        parameters=parameters,
        trainable=trainable,
    )


def _activations(config: Any, longest: TrainingExample, recipe: Recipe, dtype: torch.dtype) -> int:
    alone = len(longest.prompt) + len(longest.answer)
    layers, tokens = config.num_hidden_layers, max(alone, recipe.packed or 0)
    rows = recipe.batch if recipe.packed is None else math.ceil(tokens / alone)
    answered = rows * len(longest.answer)
    batch = recipe.batch if recipe.packed is None else 1
    state, inner = KEPT[dtype, recipe.full]
    layer = tokens * (state * config.hidden_size + inner * _mlp_size(config))
    states = tokens * config.hidden_size * dtype.itemsize
    # With checkpointing one layer at a time is in memory, with as much again for its gradients.
    kept = layers * states + 2 * layer if recipe.checkpointing else (layers + 1) * layer
    return int(batch * kept + answered * config.vocab_size * _LOGITS)


def _mlp_size(config: Any) -> int:
    """Return the size of the MLP. Models have different names for it."""
    found = (getattr(config, name, None) for name in ("intermediate_size", "n_inner"))
    return int(next(filter(None, found), 4 * config.hidden_size))
