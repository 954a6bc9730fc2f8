"""Prepare a model for training: a LoRA adapter beside its weights, or all of these."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from generation.training.errors import TrainingImpossible
from generation.training.types import Recipe


def ready(model: Any, recipe: Recipe, *, name: str) -> Any:
    """Return the model with gradients required for what is trained, and for nothing else."""
    if recipe.checkpointing:
        # Later versions of transformers use another name for it.
        later = getattr(model, "activation_checkpointing_enable", None)
        (later or model.gradient_checkpointing_enable)({"use_reentrant": False})
    return model if recipe.full else _adapted(model, recipe, name)


def _adapted(model: Any, recipe: Recipe, name: str) -> Any:
    from peft import LoraConfig, TaskType, get_peft_model

    parts = ((path.rpartition(".")[2], part) for path, part in model.named_modules())
    linear = {last for last, part in parts if isinstance(part, torch.nn.Linear)}
    if not linear & set(recipe.layers):
        raise TrainingImpossible(
            f"“{name}” has none of the layers {', '.join(recipe.layers)}.",
            remedy=f"Give some of its own as --layer: {', '.join(sorted(linear))}.",
        )
    config = LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules=sorted(linear & set(recipe.layers)),
        bias="none",
        task_type=TaskType.CAUSAL_LM,
    )
    torch.manual_seed(recipe.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # peft still calls transformers by its old names
        adapted = get_peft_model(model, config)
    config.base_model_name_or_path = name
    return adapted
