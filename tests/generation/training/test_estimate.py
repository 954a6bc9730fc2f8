"""The estimated memory, compared with the memory used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from generation.training.adapter import ready
from generation.training.base_model import find
from generation.training.batches import batch_of, lost
from generation.training.training_memory import TrainingMemory, estimate
from generation.training.types import Precision, Recipe, TrainingExample
from tests.generation.models.llama.test_memory import EIGHT

RECIPE = Recipe(precision=Precision.FP32, checkpointing=False)
LONG = TrainingExample((9,) * 600, (8,) * 40)


def of(folder: Path, recipe: Recipe, example: TrainingExample = LONG) -> TrainingMemory:
    return estimate(find(str(folder)).sketch(recipe), [example, TrainingExample((9,), (8,))], recipe, "cpu")


def kept(model: Any, recipe: Recipe) -> int:
    """Return the bytes in memory between forward and backward, without weights."""
    own = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    found: dict[int, torch.UntypedStorage] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            found[storage.data_ptr()] = storage
        return tensor

    bf16 = recipe.precision is Precision.BF16
    with (
        torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor),
        torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16),
    ):
        loss = lost(model.train(), batch_of([LONG], pad=5))
    assert loss.requires_grad
    return sum(storage.nbytes() for storage in found.values())


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_activations_are_about_what_is_kept(tiny_llama: Path, precision: Precision, full: bool) -> None:
    recipe = replace(RECIPE, full=full, precision=precision)
    real = kept(find(str(tiny_llama)).model(recipe, "cpu"), recipe)
    assert real < of(tiny_llama, recipe).activations < 3 * real


def test_weights_and_what_is_trained_are_exact(tiny_llama: Path) -> None:
    adapter = of(tiny_llama, RECIPE)
    assert (adapter.parameters, adapter.trainable) == (172_352, 16_384)
    assert adapter.weights == 4 * (172_352 - 16_384)
    assert adapter.trained == 16 * 16_384
    assert of(tiny_llama, replace(RECIPE, precision=Precision.BF16)).weights == adapter.weights // 2
    full = of(tiny_llama, replace(RECIPE, full=True))
    assert (full.weights, full.trained) == (4 * full.parameters, 12 * full.parameters)
    assert full.total == full.weights + full.trained + full.activations


def test_what_takes_more(tiny_llama: Path) -> None:
    usual = of(tiny_llama, RECIPE).activations
    assert of(tiny_llama, replace(RECIPE, checkpointing=True)).activations < usual
    assert of(tiny_llama, replace(RECIPE, batch=2)).activations == 2 * usual
    assert of(tiny_llama, RECIPE, TrainingExample((9,) * 1200, (8,) * 80)).activations == 2 * usual
    assert of(tiny_llama, replace(RECIPE, rank=16)).trainable == 2 * 16_384


def test_a_llama_of_eight_billion_fits_on_a_large_gpu_and_on_no_small_one(tiny_llama: Path) -> None:
    """The shape of Llama 3.1 8B, at 8,192 tokens with the default recipe."""
    from transformers import LlamaForCausalLM

    recipe = Recipe(precision=Precision.BF16)
    with torch.device("meta"):
        sketch = ready(LlamaForCausalLM(EIGHT), recipe, name="8B")
    memory = estimate(sketch, [TrainingExample((9,) * 8042, (8,) * 150)], recipe, "cuda")
    assert memory.parameters - memory.trainable == 8_030_261_248
    assert memory.trainable == 20_971_520
    assert 16e9 < memory.total < 40e9
    smaller = estimate(sketch, [TrainingExample((9,) * 8042, (8,) * 150)], replace(recipe, bits=4), "cuda")
    assert memory.weights - smaller.weights == pytest.approx(10.3e9, rel=0.01)


def test_other_models_have_other_names_for_their_sizes() -> None:
    """The estimate is the same for a model of the same sizes whose config does not use Llama's names."""
    from transformers import GPT2Config, GPT2LMHeadModel

    with torch.device("meta"):
        model = GPT2LMHeadModel(GPT2Config(vocab_size=640, n_embd=48, n_layer=1, n_head=4))
    recipe = replace(RECIPE, full=True, checkpointing=True)
    memory = estimate(ready(model, recipe, name="other"), [LONG], recipe, "cpu")
    assert memory.trainable == memory.parameters
    layer = 640 * (38 * 48 + 16 * 192)
    assert memory.activations == 40 * 640 * 14 + 640 * 48 * 4 + 2 * layer
